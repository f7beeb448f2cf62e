/** The compiler proves this is unreachable; at run time it names the value that a newer writer sent. */
export function assertNever(value: never, what: string): never {
  throw new TypeError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
