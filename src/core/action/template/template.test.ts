import { describe, expect, it } from 'vitest';
import { Budget, TemplateProblem, fromJson, lineOf, renderTemplate } from './index.ts';

const DATA = fromJson({
  Options: { hello: '', image: 'x', secret: 's' },
  Object: { data: { k: 'dg==' }, spec: { nodeSets: [{ name: 'n', count: 3 }] } },
  Pods: ['a', 'b'],
});

function render(source: string): string {
  return renderTemplate(source, DATA, { budget: new Budget({ now: Date.parse('2026-01-02T03:04:05.500Z') }) });
}

function problemOf(source: string): TemplateProblem {
  try {
    render(source);
  } catch (error) {
    if (error instanceof TemplateProblem) return error;
    throw error;
  }
  throw new Error(`expected a problem in ${source}`);
}

describe('templates', () => {
  // kanister.md, appendix E.
  it.each([
    ['', ''],
    ['-', '-'],
    ['{{ .Options.hello }}', ''],
    ['{{ upper `hello` }}', 'HELLO'],
    ['{{if index .Options "image" }} {{- .Options.image -}} {{else -}} img:1 {{- end}}', 'x'],
    ['{{if index .Options "none" }} {{- .Options.none -}} {{else -}} img:1 {{- end}}', 'img:1'],
    ['{{ range .Pods }} {{.}}{{end}}', ' a b'],
    ['{{ len .Pods }}', '2'],
    ['{{ index .Object.data "k" | toString | b64dec }}', 'v'],
    ['{{ "my-db" | upper | replace "-" "_" }}', 'MY_DB'],
    ['{{ (index .Object.spec.nodeSets 0).count }}', '3'],
  ])('%s gives %j', (source, text) => {
    expect(render(source)).toBe(text);
  });

  // What real Kanister 0.119.0 made of it (compat/kanister, case 12).
  it('gives what Kanister gave for the functions of real Blueprints', () => {
    const source =
      '{{ "abc" | upper | b64enc }} {{ "QUJD" | b64dec }} {{ replace "-" "_" "a-b-c" }} {{ splitList "," "x,y" | join "+" }} ' +
      '{{ "  t " | trim }} {{ list 1 2 3 | last }} {{ ternary "yes" "no" true }} {{ add 1 2 }} {{ int "7" }} ' +
      '{{ printf "%03d" 5 }} {{ "x" | repeat 3 }} {{ regexReplaceAll "a+" "baaab" "-" }} {{ trunc 3 "abcdef" }} ' +
      '{{ sha256sum "a" | trunc 8 }} {{ dict "a" 1 | toJson }} {{ semver "1.2.3" | toString }} {{ coalesce "" "c" }} ' +
      '{{ "a" | empty }} {{ hasKey (dict "a" 1) "a" }} {{ without (list 1 2) 1 }} {{ nospace "a b" }} {{ title "ab cd" }} ' +
      '{{ indent 2 "x" | quote }}';
    expect(render(source)).toBe(
      'QUJD ABC a_b_c x+y t 3 yes 3 7 005 xxx b-b abc ca978112 {"a":1} 1.2.3 c false true [2] ab Ab Cd "  x"',
    );
  });

  it('asks nobody but its caller for the time', () => {
    expect(render('{{ now | date "2006-01-02T15:04:05.000" }}')).toBe('2026-01-02T03:04:05.500');
    expect(render('{{ "2020-01-01" | date "2006" }}')).toBe('2026');
    expect(render('{{ toDate "2006-01-02" "2026-01-01" | ago }}')).toBe('27h4m6s');
  });

  it('shows nothing of the environment that it was not given', () => {
    expect(render('{{ env "HOME" }}|{{ expandenv "a $HOME ${PATH} $" }}')).toBe('|a   $');
    const budget = new Budget({ now: 0, environment: { NAME: 'x' } });
    expect(renderTemplate('{{ expandenv "$NAME-${NAME}$$" }}{{ env "NAME" }}', null, { budget })).toBe('x-xx');
  });

  it.each(['randAlphaNum 5', 'uuidv4', 'shuffle "a"', 'getHostByName "x"', 'genPrivateKey "rsa"', 'htpasswd "u" "p"'])(
    'refuses %s, and says why',
    (call) => {
      const name = call.split(' ')[0]!;
      expect(problemOf(`{{ ${call} }}`).message).toMatch(
        new RegExp(`^error calling ${name}: the function ${name} of sprig is not supported \\((random|network|crypto)`),
      );
    },
  );

  it('keeps bytes that are no UTF-8 as long as they are only passed on', () => {
    expect(render('{{ "/+8=" | b64dec | b64enc }} {{ "é" | trunc 1 | b64enc }} {{ "é" | trunc 1 }}')).toBe(
      '/+8= ww== \ufffd',
    );
    expect(render('{{ printf "%s%s" ("é" | substr 0 1) ("é" | substr 1 2) }}')).toBe('é');
  });

  it('tells the line, and the expression that failed', () => {
    const source = 'line one\n{{ .Options.image }}\n  {{ .Options.none }}';
    const problem = problemOf(source);
    expect(problem).toMatchObject({ kind: 'run', source: '.Options.none', message: 'map has no entry for key "none"' });
    expect(lineOf(source, problem)).toBe(3);
    expect(problemOf('{{ .Options.hello-world }}')).toMatchObject({
      kind: 'parse',
      message: "bad character U+002D '-'",
    });
  });

  it('does not change what it is given', () => {
    const object = { a: { b: 1 } };
    const data = fromJson(object);
    const budget = new Budget({ now: 0 });
    expect(renderTemplate('{{ set .a "c" 2 }}{{ .a.c }}', data, { budget })).toBe('map[b:1 c:2]2');
    expect(object).toEqual({ a: { b: 1 } });
  });
});
