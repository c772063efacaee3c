# plot_clearance.awk FILE.svg FILE.svg: prints a line "LEFT TOP RIGHT BOTTOM POINTS" for each frame that gnuplot drew with curves or points in
# it: the distance in pixels from each edge of the frame to the nearest point inside. Points outside all frames belong to the legend. The file
# is read twice, the first time for the frames.
function frame(path,    corner, i, x, y) {
  split(path, corner, /[^0-9.]+/)
  # "M", four corners, and the first one once more.
  ++frames
  left[frames] = right[frames] = corner[2] + 0
  top[frames] = bottom[frames] = corner[3] + 0
  for (i = 4; i <= 9; i += 2) {
    x = corner[i] + 0
    y = corner[i + 1] + 0
    if (x < left[frames]) left[frames] = x
    if (x > right[frames]) right[frames] = x
    if (y < top[frames]) top[frames] = y
    if (y > bottom[frames]) bottom[frames] = y
  }
}
function nearer(edge, distance) { if (!(edge in room) || distance < room[edge]) room[edge] = distance }
function point(x, y,    i) {
  for (i = 1; i <= frames; ++i) {
    if (x < left[i] || x > right[i] || y < top[i] || y > bottom[i]) continue
    ++points[i]
    nearer("left" i, x - left[i])
    nearer("top" i, y - top[i])
    nearer("right" i, right[i] - x)
    nearer("bottom" i, bottom[i] - y)
    return
  }
}
BEGIN { pair = "[0-9.]+,[0-9.]+" }
FNR == NR {
  if (match($0, "M" pair " L" pair " L" pair " L" pair " L" pair " Z")) {
    box = substr($0, RSTART, RLENGTH)
    if (!(box in seen)) frame(box)
    seen[box]
  }
  next
}
/<g id="gnuplot_plot_/ { inside = 1; depth = 0 }
inside {
  rest = $0
  while (match(rest, pair)) {
    split(substr(rest, RSTART, RLENGTH), place, ",")
    point(place[1] + 0, place[2] + 0)
    rest = substr(rest, RSTART + RLENGTH)
  }
  rest = $0
  depth += gsub(/<g[ >]/, "", rest) - gsub(/<\/g>/, "", rest)
  if (depth <= 0) inside = 0
}
END { for (i = 1; i <= frames; ++i) if (points[i]) print room["left" i], room["top" i], room["right" i], room["bottom" i], points[i] }
