const QUANTITY = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
};

/** Parses an amount as Kubernetes writes it, `10Gi` or `1e3`; undefined if it is not one. */
export function parseQuantity(text: string): number | undefined {
  const [, digits, suffix = ''] = QUANTITY.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) return Number(digits) * 1024 ** (binary + 1);
  return /^[eE][+-]?\d/.test(suffix) ? Number(digits + suffix) : Number(digits) * (DECIMAL[suffix] ?? 1);
}
