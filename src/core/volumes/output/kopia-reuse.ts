const LAST_LINE = /^ ?\* 0 hashing, \d{1,15} hashed \([^)]*\), 0 cached \(0 B\), /;
const NONE_KNOWN = /^kopia_content_deduplicated_total 0$/m;

/**
 * Whether a run of `kopia snapshot create` has stored by itself everything that its snapshot refers to: its last line of
 * progress names no file that an earlier snapshot had, and its metrics no content that was in the repository. One of
 * them is not enough: kopia does not even look for the contents of a file that it takes from an earlier snapshot.
 */
export function storedAllItself(lastLine: string, metrics: string): boolean {
  return LAST_LINE.test(lastLine) && NONE_KNOWN.test(metrics);
}
