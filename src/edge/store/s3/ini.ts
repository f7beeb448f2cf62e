import { AppError } from '../../../base/index.ts';

export type Profiles = ReadonlyMap<string, ReadonlyMap<string, string>>;

const MAX_BYTES = 1024 * 1024;

/**
 * The sections of an AWS credentials or config file. `[profile x]` is the same as `[x]`; keys are lower-cased; a later
 * value wins; settings nested below a key by indentation are left out. Errors name the line, never its content.
 */
export function parseIni(text: string): Profiles {
  if (text.length > MAX_BYTES) throw new AppError('tooLarge', `read credentials: more than ${MAX_BYTES} characters`);
  const profiles = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const name = sectionName(line);
    if (name !== undefined) {
      section = profiles.get(name) ?? new Map<string, string>();
      profiles.set(name, section);
      continue;
    }
    if (section !== undefined && /^\s/.test(raw) && section.size > 0 && isNested(section)) continue;
    const equals = line.indexOf('=');
    if (section === undefined || equals < 1) {
      const wanted = section === undefined ? 'a [profile]' : 'key = value';
      throw new AppError('invalidConfig', `read credentials: line ${index + 1}: expected ${wanted}`);
    }
    section.set(line.slice(0, equals).trim().toLowerCase(), withoutComment(line.slice(equals + 1).trim()));
  }
  return profiles;
}

function sectionName(line: string): string | undefined {
  const inside = /^\[([^\]]*)\]\s*(?:[#;].*)?$/.exec(line)?.[1]?.trim();
  if (inside === undefined || inside === '') return undefined;
  const named = /^profile\s+(.+)$/.exec(inside)?.[1] ?? inside;
  return named.replace(/^(["'])(.*)\1$/, '$2');
}

/** The last key has no value of its own, so indented lines below it are its settings. */
function isNested(section: ReadonlyMap<string, string>): boolean {
  return [...section.values()].at(-1) === '';
}

/** A comment after a value needs a blank before it, because keys may contain the character. */
function withoutComment(value: string): string {
  const comment = /\s[#;]/.exec(value);
  return comment === null ? value : value.slice(0, comment.index).trimEnd();
}
