interface Listing {
  at: number;
  missing: ReadonlySet<string>;
}

/**
 * What was missing in the last complete listing of each location: one listing may be wrong, two in a row are trusted.
 */
export class MissingBackups {
  readonly #last = new Map<string, Listing>();

  /**
   * Takes the uids that are missing now, returns those that were missing last time as well. Two listings within
   * `apartMs` count as one: whatever made the first one wrong may still last.
   */
  again(location: string, missing: ReadonlySet<string>, now: number, apartMs: number): Set<string> {
    const before = this.#last.get(location);
    const isApart = before === undefined || Math.abs(now - before.at) >= apartMs;
    if (isApart) this.#last.set(location, { at: now, missing });
    // A backup that was there a moment ago is not missing, whichever listing said so.
    else this.#last.set(location, { at: before.at, missing: both(before.missing, missing) });
    return isApart ? both(missing, before?.missing ?? new Set()) : new Set();
  }
}

function both(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((uid) => b.has(uid)));
}

/** A bucket that lost most of its backups at once was probably emptied, replaced or mistyped. */
export function isTooMany(gone: number, all: number): boolean {
  return gone * 2 > all;
}
