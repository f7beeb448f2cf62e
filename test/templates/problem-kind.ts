/** Go's messages, each cut down to what kind of mistake it tells. */
const KINDS: readonly RegExp[] = [
  /^error calling \w+/,
  /^wrong number of args for \w+/,
  /^map has no entry for key "[^"]*"/,
  /^nil data; no entry for key "[^"]*"/,
  /^nil pointer evaluating/,
  /^can't evaluate field \w+/,
  /^wrong type for value; expected \S+/,
  /^invalid value; expected \S+/,
  /^expected \w+; found/,
  /^cannot assign nil to/,
  /^can't handle/,
  /^can't give argument to non-function/,
  /^range can't iterate over/,
  /^can't use .* to iterate over more than one variable/,
  /^nil is not a command/,
  /^indirection through explicit nil/,
  /^template "[^"]*" not defined/,
  /^\w+ is not a method but has arguments/,
  /^\w+ has arguments but cannot be invoked as function/,
  /overflows int$/,
  /^undefined variable/,
];

/** The message without the place that Go puts before it. */
export function withoutPlace(problem: string): string {
  return problem.replace(/^template: [^:]*:\d+(?::\d+)?: (?:executing "(?:[^"\\]|\\.)*" at <[^]*?>: )?/, '');
}

export function problemKind(message: string): string {
  for (const kind of KINDS) {
    const match = kind.exec(message);
    if (match !== null) return match[0];
  }
  return message;
}
