/** The compiler proves this unreachable. At run time it names a value that only a newer writer could have sent. */
export function assertNever(value: never, what: string): never {
  throw new TypeError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
