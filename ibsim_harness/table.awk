# Lines of tab-separated cells as a table: the first column to the left, the others to the right. A line with fewer
# cells than the first says something in words: its second cell is not cut to a column.

BEGIN { FS = "\t" }

{
    if (NR == 1)
        columns = NF
    rows = NR
    cells[NR] = NF
    for (i = 1; i <= NF; i++) {
        cell[NR, i] = $i
        if ((NF == columns || i == 1) && length($i) > width[i])
            width[i] = length($i)
    }
}

END {
    for (r = 1; r <= rows; r++) {
        line = sprintf("%-" width[1] "s", cell[r, 1])
        for (i = 2; i <= cells[r]; i++)
            line = line (cells[r] == columns ? sprintf("  %" width[i] "s", cell[r, i]) : "  " cell[r, i])
        print line
    }
}
