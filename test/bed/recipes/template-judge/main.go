// Says what Go makes of templates: the judge of src/core/action/template. One JSON value a line comes in, with a template
// and its data; one goes out, with the text or the error.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"text/template"
	"time"

	"github.com/Masterminds/sprig"

	"headway.test/bed/template-judge/param"
)

type question struct {
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data"`
	// What a name that is not in a map means: error, zero or invalid.
	Missing string `json:"missing"`
	// Without sprig, only what text/template has itself.
	Plain bool `json:"plain"`
}

type answer struct {
	Text    *string `json:"text,omitempty"`
	Kind    string  `json:"kind,omitempty"`
	Problem string  `json:"problem,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fail(err)
		}
		if err := encoder.Encode(ask(q)); err != nil {
			fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func ask(q question) (a answer) {
	// Some functions panic where text/template does not expect it.
	defer func() {
		if r := recover(); r != nil {
			a = answer{Kind: "run", Problem: fmt.Sprint(r)}
		}
	}()
	data, err := decode(q.Data)
	if err != nil {
		fail(err)
	}
	t := template.New("config").Option("missingkey=" + q.Missing)
	if !q.Plain {
		t = t.Funcs(sprig.TxtFuncMap())
	}
	if t, err = t.Parse(q.Template); err != nil {
		return answer{Kind: "parse", Problem: err.Error()}
	}
	// What loops for ever must not take the machine with it.
	patience := time.AfterFunc(20*time.Second, func() { fail(fmt.Errorf("no end: %s", q.Template)) })
	defer patience.Stop()
	var buffer limited
	if err = t.Execute(&buffer, data); err != nil {
		return answer{Kind: "run", Problem: err.Error()}
	}
	text := buffer.String()
	return answer{Text: &text}
}

// A buffer that is not filled without end.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > 4<<20 {
		return 0, errors.New("too much text")
	}
	return l.Buffer.Write(p)
}

// A value with its type: {"t": "int", "v": "5"}.
type typed struct {
	Type  string          `json:"t"`
	Value json.RawMessage `json:"v"`
}

func decode(raw json.RawMessage) (any, error) {
	var t typed
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, err
	}
	switch t.Type {
	case "nil":
		return nil, nil
	case "map":
		return decodeMap(t.Value)
	case "list":
		return decodeList(t.Value)
	case "texts":
		return into[[]string](t.Value)
	case "textMap":
		return into[map[string]string](t.Value)
	case "string":
		return into[string](t.Value)
	case "bool":
		return into[bool](t.Value)
	case "params":
		return into[param.TemplateParams](t.Value)
	}
	text, err := into[string](t.Value)
	if err != nil {
		return nil, err
	}
	switch t.Type {
	case "int":
		return strconv.Atoi(text)
	case "int64":
		return strconv.ParseInt(text, 10, 64)
	case "float64":
		return strconv.ParseFloat(text, 64)
	case "bytes":
		return base64.StdEncoding.DecodeString(text)
	}
	return nil, fmt.Errorf("unknown type %q", t.Type)
}

func into[T any](raw json.RawMessage) (T, error) {
	var value T
	err := json.Unmarshal(raw, &value)
	return value, err
}

func decodeMap(raw json.RawMessage) (map[string]any, error) {
	parts, err := into[map[string]json.RawMessage](raw)
	if err != nil {
		return nil, err
	}
	result := make(map[string]any, len(parts))
	for key, part := range parts {
		if result[key], err = decode(part); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func decodeList(raw json.RawMessage) ([]any, error) {
	parts, err := into[[]json.RawMessage](raw)
	if err != nil {
		return nil, err
	}
	result := make([]any, len(parts))
	for i, part := range parts {
		if result[i], err = decode(part); err != nil {
			return nil, err
		}
	}
	return result, nil
}
