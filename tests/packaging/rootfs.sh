#!/usr/bin/env bash
# Executes the lines of the Containerfile in a root file system of mmdebstrap, which needs no registry. Its default command must
# then route a fabric without network. PSSP_DEBS is the folder of the .deb files (default: dist/ of the sources).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/packaging/roots.sh
. "$(dirname "$(readlink -f "$0")")/roots.sh"

debs=$(readlink -f "${PSSP_DEBS:-$PSSP_SOURCE_DIR/dist}")
files=("$debs"/pssp-tools_*.deb)
[[ -e ${files[0]} ]] || skip "no packages in $debs: PSSP_DEBS names the folder (docs/how-to/releasing.md makes them)"
need_roots "$@"
trap leave_roots EXIT
find_base
recipe=$PSSP_SOURCE_DIR/packaging/container/Containerfile

grep -vE '^ *(#|$)' "$recipe" | while read -r instruction rest; do
  printf '%3d s  %s %s\n' "$SECONDS" "$instruction" "$rest"
  case $instruction in
    FROM)
      expect_equal 'FROM' "$rest" debian:12
      make_root container
      ;;
    COPY)
      expect_equal 'COPY' "$rest" 'dist/*.deb /debs/'
      cp "$debs"/*.deb "$root/debs/"
      ;;
    RUN) expect 0 '' in_root sh -c "$rest" ;;
    USER) user=$rest ;;
    WORKDIR) folder=$rest ;;
    CMD)
      command=$(jq -r '.[]' <<<"$rest")
      [[ ! -e $root/debs ]] || fail 'the packages stay in the image'
      expect 0 '^pssp +0\.' unshare --net chroot --userspec="$user" "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin \
        bash -c "cd $folder && exec $command"
      cat "$scratch/stdout"
      ;;
    *) fail "an instruction that this test does not know: $instruction" ;;
  esac
done
