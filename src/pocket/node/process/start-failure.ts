const NOT_FOUND = 127;
const NOT_STARTED = 126;
/** What a program says that was to become another one and could not, in whatever language. */
const COMPLAINT = /^(?:\S*\/)?(?:unshare|nsenter|setpriv|chroot): [^\n]*\n$/;

/**
 * Why a program could not be started, if it could not: then the last one of the launchers says so, and nothing else was
 * ever said. Undefined for a program that ran, however it ended.
 */
export function startFailure(code: number, said: { output: number; errors: string }): string | undefined {
  if (code !== NOT_FOUND && code !== NOT_STARTED) return undefined;
  if (said.output > 0 || !COMPLAINT.test(said.errors)) return undefined;
  return said.errors.slice(said.errors.indexOf(': ') + 2).trim();
}
