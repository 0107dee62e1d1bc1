#!/bin/bash -eu
# Builds the fuzz targets of fuzz/ for libFuzzer, each under its name, and packs
# their seeds. OSS-Fuzz and ClusterFuzzLite run it in a container, in a copy of
# the tree that it may change, with OUT for what it makes;
# `.ci/run fuzzers` runs it with tools of the machine in the place of theirs.
#
# The white-box targets of other packages stand in files with tests that
# libFuzzer's build does not take; go's own fuzzer runs those (.ci/run fuzz).

module=github.com/perfdump/perfdump
shim=github.com/AdamKorcz/go-118-fuzz-build
version=v0.0.0-20250520111509-a70c2aa677fa

# The tool and the package that stands in for testing have to be of one version.
go install "$shim@$version"
go get "$shim/testing@$version"

targets=$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(f \*testing\.F).*/\1/p' fuzz/*_test.go | sort)
[ -n "$targets" ]

# The build leaves out files that end in _test.go, and the targets are to see the
# other testing, and so is what they test with; there is no TB in it. A build for
# coverage takes the tests as they are.
if [ "${SANITIZER:-address}" != coverage ]; then
  sed -i -e 's/^package fuzz_test$/package fuzz/' -e 's/\<testing\.TB\>/*testing.T/' \
    -e "s#^\t\"testing\"\$#\t\"$shim/testing\"#" fuzz/*_test.go internal/testkit/formattest/*.go
  for file in fuzz/*_test.go; do
    mv "$file" "${file%_test.go}_libfuzzer.go"
  done
fi

go -C tools build -o "$PWD/fuzzseeds" ./fuzzseeds
for target in $targets; do
  compile_native_go_fuzzer "$module/fuzz" "$target" "$target"
  if [ -d "fuzz/testdata/fuzz/$target" ]; then
    ./fuzzseeds "fuzz/testdata/fuzz/$target" "$OUT/${target}_seed_corpus.zip"
  fi
done
