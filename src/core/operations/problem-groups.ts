import type { ProblemGroup } from './operation.ts';

export interface ProblemMessage {
  level: ProblemGroup['level'];
  text: string;
}

interface Group extends ProblemMessage {
  count: number;
  examples: string[];
  /** The words of the first message; undefined where another message differs. */
  words: (string | undefined)[];
}

const MAX_EXAMPLES = 20;
const MAX_GROUPS = 200;
/** A message is for people. One from a hostile file may be megabytes. */
const MAX_TEXT = 2000;
/** Where two messages about the same thing may differ: quoted text, and words. Never looks at a character twice. */
const QUOTED_OR_WORD = /"[^"]*"|'[^']*'|[^\s"']+/g;
const VARIABLE = /^["']|[/\d]/;
/** The request to the API server and its address: the log has them, and the server's reason follows them. */
const REQUEST = /\b(?:GET|POST|PUT|PATCH|DELETE) \S+: https?:\/\/\S+ answered \d+: /;

/** Without its namespace or its definition nothing else can be created. */
const OTHERS_FOLLOW = /\b(?:namespaces|customresourcedefinitions\.apiextensions\.k8s\.io) \S+:/;

/** Groups similar problems. They are added one by one, each at a cost of its own length, and few are kept. */
export class ProblemGroups {
  readonly #groups = new Map<string, Group>();

  add({ level, text: whole }: ProblemMessage): void {
    const text = withoutRequest(cut(whole));
    const key = `${level} ${text.replaceAll(QUOTED_OR_WORD, (word) => (VARIABLE.test(word) ? '…' : word))}`;
    const group = this.#groups.get(key);
    if (group !== undefined) join(group, text);
    else if (this.#groups.size < MAX_GROUPS) {
      this.#groups.set(key, { level, text, count: 1, examples: [text], words: text.split(' ') });
    }
  }

  /** Errors first, those that others follow from first, then the most frequent. */
  list(): ProblemGroup[] {
    const rank = ({ level, text }: ProblemGroup): number =>
      level === 'error' ? (OTHERS_FOLLOW.test(text) ? 0 : 1) : 2;
    const all = [...this.#groups.values()].map((group) => {
      const { level, count, examples } = group;
      return { level, count, text: commonText(group), examples };
    });
    return all.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count);
  }
}

/** What the API server said, without how it was asked. */
export function withoutRequest(text: string): string {
  return text.replace(REQUEST, '');
}

function join(group: Group, text: string): void {
  group.count += 1;
  if (group.examples.length < MAX_EXAMPLES) group.examples.push(text);
  const words = text.split(' ');
  group.words = group.words.map((word, at) => (words[at] === word ? word : undefined));
}

/** What all messages share, with the count where they first differ. */
function commonText({ text: first, count, words }: Group): string {
  if (count === 1) return first;
  const own = first.split(' ');
  // Punctuation after a name belongs to the sentence, not to the name.
  const text = words.map((word, at) => word ?? `…${/[:;,]$/.exec(own[at] ?? '')?.[0] ?? ''}`).join(' ');
  const told = `(${String(count)})`;
  return text.includes('…') ? text.replace('…', told).replaceAll(/ …(?=[ :;,]|$)/g, '') : `${text} ${told}`;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
