import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { Budget, TemplateProblem, checkTemplate, fromJson, renderTemplate } from './index.ts';

const DATA = fromJson({ list: [1, 'a', null], text: 'x', big: 'y'.repeat(1000), map: { a: 1 } });
/** The limit is 1 s on a machine of its own. */
const PATIENCE_MS = 4000;

function outcome(source: string): string {
  try {
    return `text ${renderTemplate(source, DATA, { budget: new Budget({ now: 0 }) }).length}`;
  } catch (error) {
    if (error instanceof TemplateProblem) return error.kind;
    throw error;
  }
}

const HOSTILE: Readonly<Record<string, string>> = {
  'a range over a billion': '{{ range 1000000000 }}{{ end }}',
  'a list of a billion': '{{ until 1000000000 }}',
  'a list down to minus a billion': '{{ untilStep 0 -1000000000 -1 }}',
  'ranges inside ranges': '{{ range 1000 }}{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}{{ end }}',
  'a template that calls itself': '{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}',
  'two that call each other':
    '{{ define "a" }}{{ template "b" }}{{ end }}{{ define "b" }}{{ template "a" }}{{ end }}{{ template "a" }}',
  'deep blocks in a template that calls itself': `{{ define "x" }}${'{{ if true }}'.repeat(80)}{{ template "x" }}${'{{ end }}'.repeat(80)}{{ end }}{{ template "x" }}`,
  '10 MB of output': '{{ range 20000 }}{{ $.big }}{{ end }}',
  'a text of 10 GB': '{{ repeat 1000000000 .big }}',
  'a text that doubles': '{{ $x := .big }}{{ range 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}',
  'escapes of escapes': '{{ $x := "&" }}{{ range 40 }}{{ $x = html $x }}{{ end }}{{ $x }}',
  'replacing nothing by much': '{{ $x := .big }}{{ range 10 }}{{ $x = replace "" $x $x }}{{ end }}',
  'a width of a million': '{{ range 1000 }}{{ printf "%1000000d" 1 }}{{ end }}',
  'an indent of a billion': '{{ indent 1000000000 "a" }}',
  'a join that doubles': '{{ $x := list "a" "b" }}{{ range 40 }}{{ $x = list (join "-" $x) (join "-" $x) }}{{ end }}',
  'a list that doubles': '{{ $x := list 1 2 }}{{ range 40 }}{{ $x = concat $x $x }}{{ end }}',
  'a map that contains itself, printed': '{{ $x := dict }}{{ $_ := set $x "a" $x }}{{ $x }}',
  'a map that contains itself, as JSON': '{{ $x := dict }}{{ $_ := set $x "a" $x }}{{ toJson $x }}',
  'a map that contains itself, copied': '{{ $x := dict }}{{ $_ := set $x "a" $x }}{{ deepCopy $x }}',
  'a map that contains itself, compared':
    '{{ $x := dict }}{{ $_ := set $x "a" $x }}{{ $y := dict }}{{ $_ := set $y "a" $y }}{{ deepEqual $x $y }}',
  'maps that contain themselves, merged':
    '{{ $x := dict }}{{ $_ := set $x "a" $x }}{{ $y := dict "b" 1 }}{{ $_ := set $y "a" $y }}{{ merge $x $y }}',
  'a costly expression': '{{ regexMatch "(a*)*(a*)*(a*)*b" (repeat 50000 "a") }}',
  'a large expression': '{{ regexFindAll "(?:.?){900}x" (repeat 20000 "a") -1 }}',
  'a search that begins again at every letter': '{{ regexReplaceAll "(a*b)|a" (repeat 30000 "a") "-" }}',
  'deep parentheses': `{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`,
  'deep blocks': `${'{{ if true }}'.repeat(5000)}${'{{ end }}'.repeat(5000)}`,
  'many else ifs': `{{ if false }}${'{{ else if false }}'.repeat(5000)}{{ end }}`,
  'many comments': '{{/* a */}}'.repeat(50_000),
  'many spaces before a marker': `${' '.repeat(500_000)}x{{- "a" }}`,
  'a long chain': `{{ .map${'.a'.repeat(20_000)} }}`,
  'a long pipeline': `{{ 1 ${'| print '.repeat(20_000)} }}`,
  'a long text': 'a{{ 1 }}'.repeat(150_000),
  'a hash of much': '{{ range 100 }}{{ sha256sum (repeat 1000 $.big) }}{{ end }}',
  'a version with many digits': `{{ semver "${'1'.repeat(5000)}.1.1" }}`,
  'a float with many digits': '{{ range 2000 }}{{ printf "%.999999f" 1.1 }}{{ end }}',
};

describe('hostile templates', () => {
  it.each(Object.entries(HOSTILE))('%s ends within its bounds', (_name, source) => {
    const { result: said, ms } = cpuTime(() => outcome(source));
    expect(said).toMatch(/^(?:limit|parse|run|text \d+)$/);
    expect(ms).toBeLessThan(PATIENCE_MS);
    if (said.startsWith('text')) expect(Number(said.slice(5))).toBeLessThanOrEqual(1024 * 1024);
  });

  it('ends when its time is up, whatever it does', () => {
    let looks = 0;
    const budget = new Budget({ now: 0, isOver: () => (looks += 1) > 3 });
    expect(() => renderTemplate('{{ range 100000 }}{{ end }}', null, { budget })).toThrow('takes longer than allowed');
  });

  it('shares one budget between the templates of a phase', () => {
    const budget = new Budget({ now: 0 });
    const render = () => renderTemplate('{{ range 30000 }}{{ end }}', null, { budget });
    expect(() => Array.from({ length: 50 }, render)).toThrow('steps');
  });
});

const PIECE = fc.oneof(
  fc.constantFrom(
    '{{',
    '}}',
    '{{-',
    ' -}}',
    '(',
    ')',
    '|',
    '.',
    '$',
    '$x',
    ':=',
    '=',
    ',',
    '"',
    '`',
    "'",
    '\\',
    '\n',
    ' ',
  ),
  fc.constantFrom(
    'if',
    'else',
    'end',
    'range',
    'with',
    'define',
    'template',
    'block',
    'break',
    'continue',
    'nil',
    'true',
  ),
  fc.constantFrom(
    '.list',
    '.map.a',
    '.none',
    'printf',
    'index',
    'list',
    'dict',
    'set',
    'upper',
    'until',
    'eq',
    'len',
    '/*',
    '*/',
  ),
  fc.constantFrom('0', '1', '-1', '99999999', '1.5', '"a"', '"%v%d%s"', '0x', '1i', '\ud800', 'é', '\0'),
  fc.string({ maxLength: 3 }),
);

describe('any text', () => {
  it('is rendered or refused, never anything else, and always the same', () => {
    fc.assert(
      fc.property(fc.array(PIECE, { maxLength: 25 }), (pieces) => {
        const source = pieces.join(pieces.length % 2 === 0 ? ' ' : '');
        const first = outcome(source);
        expect(first).toMatch(/^(?:limit|parse|run|text \d+)$/);
        expect(outcome(source)).toBe(first);
        // What can be read is not refused when it is checked, and the other way round.
        const isReadable = first !== 'parse';
        if (isReadable) checkTemplate(source);
        else {
          expect(() => {
            checkTemplate(source);
          }).toThrow(TemplateProblem);
        }
      }),
      { numRuns: fuzzRuns(2000) },
    );
  });

  it('without braces is what it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(renderTemplate(text, null, { budget: new Budget({ now: 0 }) })).toBe(text);
      }),
    );
  });

  it('survives being quoted, encoded and written as JSON', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('"', '\\', '\n', '\0', '<', 'é', '😀', '{{'), fc.string({ maxLength: 2 })),
    });
    fc.assert(
      fc.property(text, (given) => {
        const data = fromJson({ x: given });
        const render = (source: string) => renderTemplate(source, data, { budget: new Budget({ now: 0 }) });
        const plain = given.toWellFormed();
        expect(render('{{ .x | b64enc | b64dec }}')).toBe(plain);
        expect(render('{{ .x | b32enc | b32dec }}')).toBe(plain);
        expect(JSON.parse(render('{{ toJson .x }}'))).toBe(plain);
        expect(render('{{ .x }}')).toBe(plain);
        expect(render(`{{ ${render('{{ quote .x }}')} }}`)).toBe(plain);
      }),
    );
  });
});
