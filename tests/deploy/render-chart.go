// Renders deploy/chart as `helm template` does, for tests on machines without helm: the same template language and functions (Go's
// text/template and sprig), for the objects .Values, .Chart and .Release that the chart uses.
// Usage: go run render-chart.go CHART [VALUES_FILE]
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	folder := os.Args[1]
	values := read(filepath.Join(folder, "values.yaml"))
	if len(os.Args) > 2 {
		merge(values, read(os.Args[2]))
	}
	chart := map[string]any{}
	for key, value := range read(filepath.Join(folder, "Chart.yaml")) {
		chart[strings.ToUpper(key[:1])+key[1:]] = value
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data any) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value any) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	check(err)
	template.Must(all.Funcs(functions).ParseFiles(files...))
	release := map[string]any{"Name": "agents", "Namespace": "default"}
	for _, file := range files {
		if strings.HasSuffix(file, ".yaml") {
			data := map[string]any{"Values": values, "Chart": chart, "Release": release}
			check(all.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}

func read(file string) map[string]any {
	text, err := os.ReadFile(file)
	check(err)
	values := map[string]any{}
	check(yaml.Unmarshal(text, &values))
	return values
}

func merge(into, from map[string]any) {
	for key, value := range from {
		inner, isMap := value.(map[string]any)
		old, wasMap := into[key].(map[string]any)
		if isMap && wasMap {
			merge(old, inner)
		} else {
			into[key] = value
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
