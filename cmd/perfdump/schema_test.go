package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/export"
)

// schemaOf is the schema of what a verb writes with -o json or jsonl.
var schemaOf = map[string]string{
	"analyze json": "analyze.json", "analyze jsonl": "analyze-line.json",
	"check json": "check.json", "compare jsonl": "compare-line.json", "cook jsonl": "rows.json", "diff json": "diff.json", "diff jsonl": "diff-line.json",
	"doctor json": "doctor.json", "dump json": "document.json", "dump jsonl": "rows.json", "explain json": "explain.json",
	"info json": "info.json", "lodctr json": "lodctr.json", "titles json": "document.json", "types json": "types.json",
	"unlodctr json": "lodctr.json",
}

// schemas compiles the schemas of the tree. They refer to each other and to
// nothing else.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	dir := filepath.Join(repo(t), "schema")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(jsonschema.SchemeURLLoader{})
	ids := map[string]string{}
	for _, file := range files {
		b, err := os.ReadFile(filepath.Join(dir, file.Name()))
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		require.NoError(t, err, file.Name())
		id := doc.(map[string]any)["$id"].(string)
		assert.True(t, strings.HasSuffix(id, "/schema/"+file.Name()), id)
		require.NoError(t, c.AddResource(id, doc))
		ids[file.Name()] = id
	}
	compiled := map[string]*jsonschema.Schema{}
	for name, id := range ids {
		compiled[name], err = c.Compile(id)
		require.NoError(t, err)
	}
	return compiled
}

// valid holds each document of an output against a schema.
func valid(t *testing.T, schema *jsonschema.Schema, output, about string) (n int) {
	t.Helper()
	require.NotNil(t, schema, about)
	d := json.NewDecoder(strings.NewReader(output))
	d.UseNumber()
	for ; ; n++ {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return n
		}
		require.NoError(t, err, about)
		if err := schema.Validate(v); err != nil {
			assert.Fail(t, fmt.Sprintf("%#v", err), about)
			return n
		}
	}
}

// Every verb that writes JSON has a schema, and every schema is used.
func TestEveryJSONHasASchema(t *testing.T) {
	var want []string
	for _, cmd := range verbs(t)[1:] {
		o := cmd.Flags().Lookup("output")
		if o == nil {
			continue
		}
		for word := range strings.SplitSeq(o.Value.Type(), "|") {
			if strings.HasPrefix(word, "json") {
				want = append(want, cmd.Name()+" "+word)
			}
		}
	}
	assert.ElementsMatch(t, want, slices.Collect(maps.Keys(schemaOf)))
	all := schemas(t)
	for what, name := range schemaOf {
		assert.Contains(t, all, name, what)
	}
	for name := range all {
		used := slices.Contains(slices.Collect(maps.Values(schemaOf)), name)
		parts := strings.HasPrefix(name, "document-") || name == "common.json"
		assert.True(t, used || parts || name == "errors.json" || name == "titles-stats.json", name)
	}
}

// TestJSONKeepsItsSchema holds what every verb writes as JSON of every fixture,
// whole and cut, in each mode, against the schemas.
func TestJSONKeepsItsSchema(t *testing.T) {
	all := schemas(t)
	s := newShelf(t)
	more, err := filepath.Glob(filepath.Join(repo(t), "testdata", "*", "*.bin"))
	require.NoError(t, err)
	registration, err := filepath.Glob(filepath.Join(repo(t), "testdata", "registration", "*", "*"))
	require.NoError(t, err)
	malformed, err := filepath.Glob(filepath.Join(repo(t), "..", "shared", "captures", "malformed*", "*.bin"))
	require.NoError(t, err)
	more = append(append(more, registration...), malformed...)
	documents := map[string]int{}
	run := func(t *testing.T, schema string, args ...string) {
		t.Helper()
		about := strings.Join(args, " ")
		_, stdout, stderr := runWith(t, nil, append(slices.Clone(args), "--errors", "json")...)
		documents[schema] += valid(t, all[schema], stdout, about)
		documents["errors.json"] += valid(t, all["errors.json"], stderr, about)
	}
	for what, schema := range schemaOf {
		verb, output, _ := strings.Cut(what, " ")
		if verb == "explain" || verb == "types" {
			continue
		}
		t.Run(what, func(t *testing.T) {
			line := verb + " -o " + output + " FILE"
			switch verb {
			case "compare", "diff":
				line += " OTHER"
			case "unlodctr":
				line = "unlodctr -o json App --reg FILE"
			}
			flags := [][]string{nil, {"--mode", "salvage"}}
			if verb == "dump" || verb == "cook" {
				flags = append(flags, []string{"-c", `\Processor(*)\*`}, []string{"-c", `\.NET CLR Memory(*)\*`})
			}
			if output == "jsonl" && verb != "diff" {
				columns := map[string]string{"dump": strings.Join(export.RawColumns(), ","), "cook": strings.Join(export.CookedColumns(), ",")}
				flags = append(flags, []string{"--with", columns[verb]})
			}
			if verb == "cook" {
				flags = append(flags, []string{"--summary"})
			}
			for _, extra := range flags {
				for _, f := range s.fixtures {
					run(t, schema, append(s.args(row{line: line}, f, f.name), extra...)...)
					if len(extra) == 0 || extra[0] == "--mode" {
						run(t, schema, append(s.args(row{line: line}, f, "cut-"+f.name), extra...)...)
					}
				}
			}
			if verb == "diff" {
				captures := filepath.Join(repo(t), "testdata", "captures")
				for _, pair := range [][2]string{{"small.bin", "small-next.bin"}, {"small.bin", "var-x86_64-1.bin"}, {"var-x86_64-1.bin", "small.bin"}} {
					run(t, schema, verb, "-o", output, filepath.Join(captures, pair[0]), filepath.Join(captures, pair[1]))
				}
				return
			}
			for i, name := range more {
				if i%4 != 0 && verb != "info" && verb != "check" {
					continue
				}
				args := strings.Fields(strings.ReplaceAll(line, "FILE", name))
				run(t, schema, append(args, "--mode", "salvage")...)
			}
		})
	}
	t.Run("others", func(t *testing.T) {
		for _, f := range s.fixtures {
			run(t, "titles-stats.json", s.args(row{line: "titles --stats -o json FILE"}, f, f.name)...)
		}
		for _, name := range registration {
			run(t, "titles-stats.json", "titles", "--stats", "-o", "json", name)
		}
		run(t, "document.json", "titles", "-o", "json", "--index", "238")
		run(t, "types.json", "types", "-o", "json")
		run(t, "types.json", "types", "-o", "json", "0x20510500")
		for _, word := range []string{"F3030000", "0xC0000BD4", "1011", "perflib:1008 F3030000", "flags:0x12", "Working Set", "no such thing"} {
			run(t, "explain.json", append([]string{"explain", "-o", "json"}, strings.Fields(word)...)...)
		}
		run(t, "errors.json", "dump", "--zzzz")
	})
	for name := range all {
		if name != "common.json" && !strings.HasPrefix(name, "document-") {
			assert.Positive(t, documents[name], "nothing was held against %s", name)
		}
	}
}

// The schemas are closed: a key that is renamed, left out, added or of another
// kind is found.
func TestSchemasAreClosed(t *testing.T) {
	all := schemas(t)
	s := newShelf(t)
	for what, schema := range schemaOf {
		verb, output, _ := strings.Cut(what, " ")
		if verb == "explain" || verb == "types" {
			continue
		}
		for _, f := range s.fixtures {
			line := verb + " -o " + output + " FILE"
			switch verb {
			case "compare", "diff":
				line += " OTHER"
			case "unlodctr":
				line = "unlodctr -o json App --reg FILE"
			}
			_, stdout, _ := runWith(t, nil, s.args(row{line: line}, f, f.name)...)
			d := json.NewDecoder(strings.NewReader(stdout))
			d.UseNumber()
			var v any
			if len(stdout) > 6_000 || d.Decode(&v) != nil {
				continue // each key is broken in four ways, and the whole held against the schema each time
			}
			t.Run(what+" "+f.name, func(t *testing.T) { mutate(t, all[schema], v, v, "") })
		}
	}
}

// mutate breaks each key of a document in each way, the first element of each
// list standing for all.
func mutate(t *testing.T, schema *jsonschema.Schema, whole, at any, path string) {
	t.Helper()
	switch at := at.(type) {
	case []any:
		if len(at) > 0 {
			mutate(t, schema, whole, at[0], path+"[0]")
		}
	case map[string]any:
		if free(path) {
			return // keys are names there
		}
		for key, value := range maps.Clone(at) {
			mutate(t, schema, whole, value, path+"."+key)
			delete(at, key)
			if !optional(path + "." + key) {
				assert.Error(t, schema.Validate(whole), "%s.%s is left out", path, key)
			}
			at[key+"_"] = value
			assert.Error(t, schema.Validate(whole), "%s.%s is renamed", path, key)
			delete(at, key+"_")
			at[key] = map[string]any{"strange": true}
			assert.Error(t, schema.Validate(whole), "%s.%s is of another kind", path, key)
			at[key] = value
		}
		at["strange"] = true
		assert.Error(t, schema.Validate(whole), "%s has a key more", path)
		delete(at, "strange")
		require.NoError(t, schema.Validate(whole), path)
	}
}

// free reports whether the keys of what stands at a path are names: codes,
// languages, machines, values of the registry.
func free(path string) bool {
	return regexp.MustCompile(`\.(anomalies|remarks|strings|lost|titles|providers\[0\]\.values)$`).MatchString(path)
}

// optional reports whether a key is not always there.
func optional(path string) bool {
	return slices.ContainsFunc([]string{
		`\.partial$`, `\.delta$`, `\.text$`, `\.writer$`, `\.layout$`, `\.count$`, `^\.block$`, `\.multi$`, `_multi$`,
		`\.chunks\[0\]\.(attributes|app_domain|path|wire\..*)$`, `\.instances\[0\]\.wire\.(byte_length|name_offset|name_length)$`,
	}, func(p string) bool { return regexp.MustCompile(p).MatchString(path) })
}
