import { goQuote } from '../format/quote.ts';
import { FunctionProblem } from '../problem.ts';
import { fn, text, type Parameter } from '../value/function.ts';
import { int, int64 } from '../value/make.ts';
import { pointerTo } from '../value/type.ts';
import { Pointer, Struct, type Callable, type Type, type Value } from '../value/value.ts';
import { checkConstraint, compareVersions, parseVersion, versionText, type Version } from './constraints.ts';

const versionOf = (value: Value): Version => ((value as Pointer).target as Struct).inner as Version;
const method =
  (run: (version: Version) => Value) =>
  (receiver: Value): Callable =>
    fn([], () => run(versionOf(receiver)));
const compared =
  (test: (order: number) => Value) =>
  (receiver: Value): Callable =>
    fn([version], (other) => test(compareVersions(versionOf(receiver), other)));

const STRUCT: Type = { kind: 'struct', text: 'semver.Version' };
/** What sprig's `semver` returns, with the methods that read and compare it. */
const VERSION: Type = {
  ...pointerTo(STRUCT),
  string: (value) => versionText(versionOf(value)),
  goString: (value) => goSource(versionOf(value)),
  json: (value) => JSON.stringify(versionText(versionOf(value))),
  methods: {
    Major: method(({ major }) => int64(major)),
    Minor: method(({ minor }) => int64(minor)),
    Patch: method(({ patch }) => int64(patch)),
    Prerelease: method(({ prerelease }) => prerelease),
    Metadata: method(({ metadata }) => metadata),
    Original: method(({ original }) => original),
    String: method(versionText),
    Compare: compared((order) => int(order)),
    LessThan: compared((order) => order < 0),
    GreaterThan: compared((order) => order > 0),
    Equal: compared((order) => order === 0),
  },
};
const version: Parameter<Version> = { type: VERSION, read: versionOf };

function goSource({ major, minor, patch, prerelease, metadata, original }: Version): string {
  const texts = `pre:${goQuote(prerelease)}, metadata:${goQuote(metadata)}, original:${goQuote(original)}`;
  return `&semver.Version{major:${String(major)}, minor:${String(minor)}, patch:${String(patch)}, ${texts}}`;
}

function readVersion(source: string): Version {
  const parsed = parseVersion(source);
  if (typeof parsed === 'string') throw new FunctionProblem(parsed);
  return parsed;
}

export const VERSIONS: Readonly<Record<string, Callable>> = {
  semver: fn([text], (source) => new Pointer(VERSION, new Struct(STRUCT, new Map(), readVersion(source)))),
  semverCompare: fn([text, text], (constraint, source) => checkConstraint(constraint, () => readVersion(source))),
};
