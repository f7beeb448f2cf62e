/** One mount of a container, in the words of fstab. */
export interface Mount {
  source: string;
  target: string;
  type: string;
  options: string;
}

/** A table that `mount -a` works off from top to bottom, all in one process. */
export function mountTable(mounts: readonly Mount[]): string {
  return mounts
    .map(({ source, target, type, options }) => `${[source, target, type, options].map(escaped).join(' ')} 0 0\n`)
    .join('');
}

/** Blanks end a field, and a number sign begins a comment. */
function escaped(field: string): string {
  return field.replaceAll(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

export function bind(source: string, target: string, isReadOnly: boolean): Mount {
  // With everything mounted below it: where a user may mount, the kernel gives no part of a tree without the rest.
  return { source, target, type: 'none', options: isReadOnly ? 'rbind,ro' : 'rbind' };
}
