import type { Typed } from './typed-data.ts';

const text = (v: string): Typed => ({ t: 'string', v });
const map = (v: Record<string, Typed>): Typed => ({ t: 'map', v });
const int64 = (v: number | string): Typed => ({ t: 'int64', v: String(v) });

/** What random templates get: something of every kind. */
export const SAMPLE: Typed = map({
  name: text('my-db'),
  empty: text(''),
  quoted: text('a "b" <c> & d\\e'),
  multi: text('first\nsecond\n'),
  count: int64(3),
  zero: int64(0),
  big: int64('9007199254740993'),
  ratio: { t: 'float64', v: '2.5' },
  whole: { t: 'float64', v: '3' },
  yes: { t: 'bool', v: true },
  no: { t: 'bool', v: false },
  nothing: { t: 'nil' },
  items: { t: 'list', v: [int64(1), text('two'), { t: 'nil' }, { t: 'float64', v: '3.5' }, { t: 'bool', v: true }] },
  none: { t: 'list', v: [] },
  pods: { t: 'texts', v: ['pod-b', 'pod-a', ''] },
  options: { t: 'textMap', v: { one: '1', two: '', 'with-dash': 'x' } },
  secret: { t: 'bytes', v: 'cGFzc3fDtnJk' },
  meta: map({ label: text('front'), number: int64(7), inner: map({ x: text('y') }) }),
  emptyMap: map({}),
  nested: map({
    list: { t: 'list', v: [map({ name: text('n1') }), map({ name: text('n2') })] },
    deep: map({ deeper: map({ end: int64(1) }) }),
  }),
});
