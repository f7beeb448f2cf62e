import { isObject, type Json, type JsonObject } from '../../../base/index.ts';
import { scalarTextAt } from '../object/index.ts';

type Step = (values: readonly Json[]) => Json[];

const MAX_STEPS = 64;

/**
 * The part of kubectl's JSONPath that printer columns use: `.a.b`, `['a.b']`, `[0]`, `[*]` and
 * `[?(@.type=="Ready")]`. A path outside it finds nothing.
 */
export function compileJsonPath(path: string): (object: Readonly<JsonObject>) => Json[] {
  const steps = compile(path.replace(/^\{(.*)\}$/s, '$1').replace(/^\$/, ''));
  return (object) => steps?.reduce<Json[]>((values, step) => step(values), [object]) ?? [];
}

function compile(path: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== '' && steps.length < MAX_STEPS) {
    const found = STEPS.map(({ pattern, make }) => ({ match: pattern.exec(rest), make })).find(
      ({ match }) => match !== null,
    );
    if (found === undefined || found.match === null) return undefined;
    steps.push(found.make(found.match));
    rest = rest.slice(found.match[0].length);
  }
  return rest === '' ? steps : undefined;
}

const STEPS: readonly { pattern: RegExp; make: (match: RegExpExecArray) => Step }[] = [
  { pattern: /^\.?\[\*\]|^\.\*/, make: () => (values) => values.flatMap(childrenOf) },
  { pattern: /^\.?\[(-?\d{1,9})\]/, make: ([, index = '']) => at(Number(index)) },
  { pattern: /^\.?\[(?:'([^']*)'|"([^"]*)")\]/, make: ([, single, double]) => field(single ?? double ?? '') },
  {
    pattern: /^\.?\[\?\(\s*@((?:\.[\w-]+)+)\s*(==|!=)\s*(?:'([^']*)'|"([^"]*)"|(true|false|-?\d+))\s*\)\]/,
    make: ([, path = '', operator, single, double, literal]) =>
      filter(path.slice(1).split('.'), operator === '==', single ?? double ?? literal ?? ''),
  },
  { pattern: /^\.((?:\\.|[^.[\]\\])+)/, make: ([, name = '']) => field(name.replace(/\\(.)/g, '$1')) },
];

function childrenOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value).filter((child) => child !== undefined) : [];
}

function field(name: string): Step {
  return (values) =>
    values.flatMap((value) => {
      if (!isObject(value) || !Object.hasOwn(value, name)) return [];
      const child = value[name];
      return child === undefined ? [] : [child];
    });
}

function at(index: number): Step {
  return (values) =>
    values.flatMap((value) => {
      const child = Array.isArray(value) ? value.at(index) : undefined;
      return child === undefined ? [] : [child];
    });
}

function filter(path: readonly string[], isEqual: boolean, expected: string): Step {
  return (values) =>
    values.flatMap(childrenOf).filter((item) => {
      const [found] = path.reduce<Json[]>((inner, name) => field(name)(inner), [item]);
      return (found !== undefined && scalarTextAt(found) === expected) === isEqual;
    });
}
