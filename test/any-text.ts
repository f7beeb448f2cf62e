import fc from 'fast-check';

/** Any text, also what is none: control characters, halves of pairs. fast-check's own unit "binary" takes seconds to begin. */
export function anyText({ maxLength = 40 }: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const code = fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff }));
  return fc.array(code, { maxLength }).map((codes) => String.fromCharCode(...codes));
}
