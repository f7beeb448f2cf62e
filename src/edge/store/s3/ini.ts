import { AppError } from '../../../base/index.ts';

export type Profile = ReadonlyMap<string, string>;
export type Profiles = ReadonlyMap<string, Profile>;

const MAX_LENGTH = 256 * 1024;
const SECTION = /^\[(?:profile[ \t]+)?([\w.@:+/-]+)\]$/;
const SETTING = /^([A-Za-z]\w*)[ \t]*=[ \t]*(.*)$/;

/**
 * The profiles of an AWS credentials or config file; `[profile x]` is the same as `[x]`, and keys are lower-cased. Two
 * parsers of such a file often disagree, and what one skips the other obeys. So anything ambiguous is an error, which
 * names the line but not its content.
 */
export function parseIni(text: string): Profiles {
  if (text.length > MAX_LENGTH) throw new AppError('tooLarge', `read credentials: more than ${MAX_LENGTH} characters`);
  const profiles = new Map<string, Map<string, string>>();
  let profile: Map<string, string> | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const refuse = (expected: string): never => {
      throw new AppError('invalidConfig', `read credentials: line ${index + 1}: ${expected}`);
    };
    const content = contentOf(line, refuse);
    if (content === '') continue;
    const name = SECTION.exec(content)?.[1];
    if (name === undefined) {
      if (content.startsWith('[')) refuse('expected a profile as [name] or [profile name]');
      addSetting(profile ?? refuse('expected a [profile] before the first key'), content, refuse);
      continue;
    }
    if (profiles.has(name)) refuse('expected each profile once, this one is there already');
    profile = new Map();
    profiles.set(name, profile);
  }
  return profiles;
}

function addSetting(profile: Map<string, string>, content: string, refuse: (expected: string) => never): void {
  const [, key, value] = SETTING.exec(content) ?? [];
  if (key === undefined || value === undefined) return refuse('expected key = value');
  if (value === '') refuse('expected a value');
  if (profile.has(key.toLowerCase())) refuse('expected each key once in a profile, this one is there already');
  profile.set(key.toLowerCase(), value);
}

/** Empty for a line without content. A comment begins the line or follows a blank; AWS keys may contain `#`. */
function contentOf(raw: string, refuse: (expected: string) => never): string {
  const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  // Also in comments: for some parsers a line ends there.
  if (/[\p{Zl}\p{Zp}]|[^\P{Cc}\t]/u.test(line)) refuse('expected no control characters');
  const comment = /(?:^|[ \t])[#;]/.exec(line);
  const content = comment === null ? line : line.slice(0, comment.index);
  if (content.trim() === '') return '';
  if (!/^[\t -~]*$/.test(content)) refuse('expected ASCII characters only');
  if (/^[ \t]/.test(content)) refuse('expected no blank at its beginning: it could go on with the line before');
  return content.trimEnd();
}
