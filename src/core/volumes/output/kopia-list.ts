/** One entry of `kopia ls -l -r`. Of a directory, size and time are those of what is in it. */
export interface KopiaEntry {
  /** Below the root. */
  path: string;
  type: 'file' | 'directory' | 'symlink';
  bytes: number;
  /** Permissions, with the three special bits. */
  mode: number;
  modifiedAt: string;
}

/** `drwxr-xr-x           5 2026-11-17 14:00:05 UTC k1fd5…  sub/dir/`: mode, size, time, object, path. */
const BEGINNING =
  /^([dalTLDpSugct?]+|-)((?:[r-][w-][x-]){3}) +(\d{1,16}) (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC (\S*) /;
/** The object's id is filled up to so many characters, and names may begin with spaces. */
const ID_WIDTH = 34;
const SPECIAL_BITS: Readonly<Record<string, number>> = { u: 0o4000, g: 0o2000, t: 0o1000 };
/** Longer than any path that Linux knows. Of a name that goes on and on, the rest is left out. */
const MAX_PATH = 16 * 1024;
const MAX_LINE = MAX_PATH + 256;

/**
 * Reads `kopia ls -l -r --timezone=utc` as it arrives, in pieces of any size. kopia writes names as they are, so a line
 * that does not begin like an entry is the rest of a name with a line break in it. A name can even hold what looks like
 * an entry; whoever needs to know compares the count with that of the snapshot.
 */
export class KopiaListing {
  #line = '';
  #entry: KopiaEntry | undefined;

  /** The entries that are known to be whole. */
  push(piece: string): KopiaEntry[] {
    const entries: KopiaEntry[] = [];
    let from = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
      this.#hold(piece.slice(from, end));
      from = end + 1;
      this.#endLine(entries);
    }
    this.#hold(piece.slice(from));
    return entries;
  }

  /** The last one. */
  end(): KopiaEntry[] {
    const entries: KopiaEntry[] = [];
    if (this.#line !== '') this.#endLine(entries);
    this.#next(undefined, entries);
    return entries;
  }

  #next(entry: KopiaEntry | undefined, entries: KopiaEntry[]): void {
    const whole = this.#entry;
    this.#entry = entry;
    // kopia writes a slash behind the name of a directory.
    if (whole !== undefined) entries.push({ ...whole, path: whole.path.replace(/\/$/, '') });
  }

  #hold(text: string): void {
    this.#line += text.slice(0, MAX_LINE - this.#line.length);
  }

  #endLine(entries: KopiaEntry[]): void {
    const line = this.#line;
    this.#line = '';
    const entry = entryOf(line);
    if (entry !== undefined) this.#next(entry, entries);
    else if (this.#entry !== undefined) {
      this.#entry.path = `${this.#entry.path}\n${line}`.slice(0, MAX_PATH);
    }
  }
}

function entryOf(line: string): KopiaEntry | undefined {
  const [whole, kind = '', rights = '', size = '', day = '', time = '', id = ''] = BEGINNING.exec(line) ?? [];
  const modifiedAt = new Date(`${day}T${time}Z`);
  if (whole === undefined || Number.isNaN(modifiedAt.getTime())) return undefined;
  return {
    path: line.slice(whole.length + Math.max(0, ID_WIDTH - id.length)),
    type: kind.includes('d') ? 'directory' : kind.includes('L') ? 'symlink' : 'file',
    bytes: Math.min(Number(size), Number.MAX_SAFE_INTEGER),
    mode: modeOf(kind, rights),
    modifiedAt: modifiedAt.toISOString(),
  };
}

function modeOf(kind: string, rights: string): number {
  const bits = Array.from(rights, (letter) => (letter === '-' ? '0' : '1')).join('');
  return Array.from(kind).reduce((mode, letter) => mode | (SPECIAL_BITS[letter] ?? 0), Number.parseInt(bits, 2));
}
