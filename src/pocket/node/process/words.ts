import type { Programs } from '../machine/index.ts';

/** Who a process is inside its container. */
export interface Identity {
  uid: number;
  gid: number;
}

/** How namespaces can be had: as root of the machine, or inside a user namespace. */
export type Privilege = 'root' | 'user';

/** What Docker leaves to root in a container; all else root could use to leave it by accident. */
const CAPABILITIES =
  'chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write,setfcap';
const BOUNDING = `--bounding-set=-all,${CAPABILITIES.split(',')
  .map((name) => `+${name}`)
  .join(',')}`;

interface Inside {
  programs: Programs;
  privilege: Privilege;
  identity: Identity;
  /** Whether the machine's programs are there inside as well. */
  hasPrograms: boolean;
  isPrivileged: boolean;
}

/** Starts a process that dies with us, as the first one of new namespaces. */
export function unshareWords({ programs, privilege }: Pick<Inside, 'programs' | 'privilege'>): string[] {
  return [
    ...[programs.path('setpriv'), '--pdeathsig', 'KILL', '--'],
    ...[programs.path('unshare'), ...(privilege === 'user' ? ['--user', '--map-root-user'] : [])],
    ...['--mount', '--pid', '--fork', '--uts', '--ipc', '--kill-child', '--'],
  ];
}

/** From the folder that is to be the root into it, as somebody, to become the program. */
export function becomeWords(inside: Inside, workingDir: string, command: readonly string[]): string[] {
  const { programs, privilege, identity, hasPrograms, isPrivileged } = inside;
  const unshare = programs.path('unshare');
  const at = ['--root=.', `--wd=${workingDir}`];
  if (privilege === 'user') {
    if (identity.uid === 0 || !hasPrograms) return [unshare, ...at, '--', ...command];
    return [programs.path('chroot'), '.', ...asUser(unshare, identity), `--wd=${workingDir}`, '--', ...command];
  }
  const limits = isPrivileged ? [] : [programs.path('setpriv'), BOUNDING, '--inh-caps=-all', '--'];
  const who = identity.uid === 0 && identity.gid === 0 ? [] : [`--setgid=${identity.gid}`, `--setuid=${identity.uid}`];
  return [...limits, unshare, ...at, ...who, '--', ...command];
}

interface Target {
  /** The container's first process, and the one that waits for it. */
  first: number;
  holder: number;
  /** Without links in it, because it is looked up from outside. */
  workingDir: string;
}

/** Another process in the namespaces of a container. */
export function enterWords(
  inside: Inside,
  { first, holder, workingDir }: Target,
  command: readonly string[],
): string[] {
  const { programs, privilege, identity, hasPrograms, isPrivileged } = inside;
  // The first process may be in a user namespace of its own, from which the others cannot be entered.
  const user = privilege === 'user' ? [`--user=/proc/${holder}/ns/user`, '--preserve-credentials'] : [];
  const root = `/proc/${first}/root`;
  const enter = [
    ...[programs.path('nsenter'), `--target=${first}`, ...user],
    ...['--mount', '--pid', '--uts', '--ipc', `--root=${root}`, `--wd=${root}${workingDir}`],
  ];
  const isSomebody = identity.uid !== 0 || identity.gid !== 0;
  if (privilege === 'user') {
    return isSomebody && hasPrograms
      ? [...enter, '--', ...asUser(programs.path('unshare'), identity), '--', ...command]
      : [...enter, '--', ...command];
  }
  if (isPrivileged || !hasPrograms) {
    const who = isSomebody ? [`--setgid=${identity.gid}`, `--setuid=${identity.uid}`] : [];
    return [...enter, ...who, '--', ...command];
  }
  const who = isSomebody ? [`--regid=${identity.gid}`, `--reuid=${identity.uid}`, '--clear-groups'] : [];
  return [...enter, '--', programs.path('setpriv'), BOUNDING, '--inh-caps=-all', ...who, '--', ...command];
}

/** A user namespace has one user only; another one shows that user under another number. */
function asUser(unshare: string, { uid, gid }: Identity): string[] {
  return [unshare, '--user', `--map-user=${uid}`, `--map-group=${gid}`];
}

/** A line for a shell that means exactly these words. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}
