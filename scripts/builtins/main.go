// Command builtins prints, as JSON, the Go types behind the kinds named on standard input ("group/version/Kind" lines,
// core as "/v1/Kind"): field names, protobuf numbers, how empty values are written, and merge keys. The struct tags are
// the one place where all of that stands together. It reads nothing else and prints no documentation.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

type field struct {
	Name   string `json:"name,omitempty"`
	Number string `json:"number,omitempty"`
	Type   string `json:"type"`
	// Go is the type's name in decoding errors, such as v1.Protocol.
	Go        string `json:"go,omitempty"`
	Pointer   bool   `json:"pointer,omitempty"`
	OmitEmpty bool   `json:"omitEmpty,omitempty"`
	OmitZero  bool   `json:"omitZero,omitempty"`
	Inline    bool   `json:"inline,omitempty"`
	Strategy  string `json:"strategy,omitempty"`
	MergeKey  string `json:"mergeKey,omitempty"`
}

type output struct {
	Kinds map[string]string  `json:"kinds"`
	Types map[string][]field `json:"types"`
}

// Types with their own JSON form; the decoder knows them by these names.
var special = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "microtime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "json",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "intstr",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "raw",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "json",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "schemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "schemaOrArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
}

var scalars = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "bool", reflect.Int32: "int32", reflect.Int64: "int64",
	reflect.Float64: "float64", reflect.Uint8: "uint8", reflect.Int: "int64", reflect.Uint32: "int64",
}

var out = output{Kinds: map[string]string{}, Types: map[string][]field{}}

func main() {
	if err := apiextensionsv1.AddToScheme(scheme.Scheme); err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "/")
		if len(parts) != 3 {
			panic("expected group/version/Kind, got " + lines.Text())
		}
		object, err := scheme.Scheme.New(schema.GroupVersionKind{Group: parts[0], Version: parts[1], Kind: parts[2]})
		if err != nil {
			panic(err)
		}
		out.Kinds[lines.Text()] = add(reflect.TypeOf(object).Elem())
	}
	// The schemas inside CustomResourceDefinitions are reached only through types with their own JSON form.
	add(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]())
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}

// add records the struct and returns its OpenAPI name: k8s.io/api/core/v1 is io.k8s.api.core.v1.
func add(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	name := strings.Join(append(host, path[1:]...), ".") + "." + t.Name()
	if _, seen := out.Types[name]; seen {
		return name
	}
	out.Types[name] = nil
	fields := []field{}
	for i := range t.NumField() {
		if f, ok := describe(t.Field(i)); ok {
			fields = append(fields, f)
		}
	}
	out.Types[name] = fields
	return name
}

func describe(s reflect.StructField) (field, bool) {
	tag := strings.Split(s.Tag.Get("json"), ",")
	if tag[0] == "-" || !s.IsExported() {
		return field{}, false
	}
	f := field{Name: tag[0], Strategy: s.Tag.Get("patchStrategy"), MergeKey: s.Tag.Get("patchMergeKey")}
	for _, option := range tag[1:] {
		f.OmitEmpty = f.OmitEmpty || option == "omitempty"
		f.OmitZero = f.OmitZero || option == "omitzero"
		f.Inline = f.Inline || option == "inline"
	}
	if f.Name == "" {
		if !f.Inline && !s.Anonymous {
			panic(fmt.Sprintf("field %s has no JSON name", s.Name))
		}
		f.Inline = true
	}
	if wire := strings.Split(s.Tag.Get("protobuf"), ","); len(wire) > 1 {
		f.Number = wire[1]
	}
	t := s.Type
	if t.Kind() == reflect.Pointer {
		f.Pointer = true
		t = t.Elem()
	}
	f.Type = expression(t)
	f.Go = t.String()
	return f, true
}

// expression writes a type as a prefix word: []T list, {}T map, <>T list inside a message of its own, #Name struct.
func expression(t reflect.Type) string {
	if word, ok := special[t.PkgPath()+"."+t.Name()]; ok {
		return word
	}
	switch t.Kind() {
	case reflect.Struct:
		return "#" + add(t)
	case reflect.Map:
		return "{}" + expression(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		// A named slice with its own protobuf methods is a message with the list as field 1.
		if _, ok := reflect.PointerTo(t).MethodByName("Unmarshal"); ok {
			return "<>" + expression(t.Elem())
		}
		return "[]" + expression(t.Elem())
	case reflect.Pointer:
		return expression(t.Elem())
	}
	if word, ok := scalars[t.Kind()]; ok {
		return word
	}
	panic("no expression for " + t.String())
}
