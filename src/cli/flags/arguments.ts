import { LEADING_FLAGS } from './connection.ts';
import { OPTIONAL_BOOLEANS } from './values.ts';

/** The arguments as the parser wants them; what stands after `--` is left alone. */
export function tidyArguments(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const after = end < 0 ? [] : args.slice(end);
  return [...leadingFlagsLast(before).map(withValue), ...after];
}

/** `headway -n velero backup get`, as kubectl's users write it, is `headway backup get -n velero`. */
function leadingFlagsLast(args: readonly string[]): string[] {
  let at = 0;
  for (let arg = args[at]; arg !== undefined; arg = args[at]) {
    const [flag] = arg.split('=');
    if (flag === undefined || !LEADING_FLAGS.has(flag)) break;
    at += arg.includes('=') ? 1 : 2;
  }
  return [...args.slice(at), ...args.slice(0, at)];
}

/** `--snapshot-volumes NAME`: the flag is set, and NAME is an argument. */
function withValue(arg: string): string {
  return OPTIONAL_BOOLEANS.has(arg) ? `${arg}=true` : arg;
}
