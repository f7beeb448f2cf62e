import { runes } from '../value/go-text.ts';
import { isLetter, isNumber, isPunctuation, isSpace, isUpper, lowerLetter, upperLetter } from './letters.ts';

/** snakecase, kebabcase and camelcase as the library behind sprig cuts words, with all its oddities. */
type WordKind = 'invalid' | 'number' | 'upper' | 'alphabet' | 'connector' | 'punctuation' | 'other';
interface Word {
  kind: WordKind;
  letters: string[];
}

const INVALID = /^[\ufffd\udc80-\udcff]$/;
const isConnector = (letter: string): boolean => letter === '-' || letter === '_' || isSpace(letter);
const CJK = /^[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]$/u;
const isAlphabet = (letter: string): boolean => isLetter(letter) && !CJK.test(letter);

/** Cuts off words from the front of a list of letters. */
class Words {
  readonly #letters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#letters = Array.from(text);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#letters.length;
  }

  next(): Word {
    const start = this.#at;
    while (!this.isAtEnd && INVALID.test(this.#letter())) this.#at += 1;
    if (this.isAtEnd) return { kind: 'invalid', letters: this.#since(start) };
    const kind = this.#take(this.#letter());
    return { kind, letters: this.#since(start) };
  }

  /** Moves to the end of the word that begins with this letter. */
  #take(first: string): WordKind {
    this.#at += 1;
    if (isConnector(first)) return this.#while(isConnector, 'connector');
    if (isPunctuation(first)) return this.#while(isPunctuation, 'punctuation');
    if (isUpper(first)) return this.#upper();
    if (isAlphabet(first)) return this.#while((letter) => isAlphabet(letter) && !isUpper(letter), 'alphabet');
    if (isNumber(first)) return this.#while(isNumber, 'number');
    return this.#while(
      (letter) => !(isConnector(letter) || isAlphabet(letter) || isNumber(letter) || isPunctuation(letter)),
      'other',
    );
  }

  /** `HTTPServer` is HTTP and Server; `Server` is one word. */
  #upper(): WordKind {
    if (this.isAtEnd) return 'upper';
    if (!isUpper(this.#letter())) {
      if (isAlphabet(this.#letter())) this.#while((letter) => isAlphabet(letter) && !isUpper(letter), 'upper');
      return 'upper';
    }
    this.#while(isUpper, 'upper');
    if (!this.isAtEnd && isAlphabet(this.#letter())) this.#at -= 1;
    return 'upper';
  }

  #while(test: (letter: string) => boolean, kind: WordKind): WordKind {
    while (!this.isAtEnd && (INVALID.test(this.#letter()) || test(this.#letter()))) this.#at += 1;
    return kind;
  }

  #letter(): string {
    return String(this.#letters[this.#at]);
  }

  #since(start: number): string[] {
    return this.#letters.slice(start, this.#at);
  }
}

/** Words in small letters with a connector between them. */
export function lowerWords(text: string, connector: '_' | '-'): string {
  if (text === '') return '';
  const words = new Words(text);
  const output: string[] = [];
  const write = ({ kind, letters }: Word): void => {
    if (kind !== 'upper' && kind !== 'connector') output.push(...letters);
    else {
      output.push(
        ...letters.map((letter) => {
          if (isConnector(letter)) return connector;
          return isUpper(letter) ? lowerLetter(letter) : letter;
        }),
      );
    }
  };
  const connect = (next: WordKind, ...except: WordKind[]): void => {
    if (next !== 'connector' && next !== 'punctuation' && !except.includes(next)) output.push(connector);
  };
  const NOTHING: Word = { kind: 'invalid', letters: [] };
  const next = (): Word => (words.isAtEnd ? NOTHING : words.next());
  /** Letters and numbers that follow a number belong to it. */
  const withNumber = (word: Word): Word => {
    let current = word;
    while (current.kind === 'alphabet' || current.kind === 'number') {
      write(current);
      current = next();
    }
    connect(current.kind, 'invalid');
    return current;
  };
  let word = next();
  while (!words.isAtEnd) {
    if (word.kind !== 'connector') write(word);
    const before = word;
    word = next();
    if (before.kind === 'number') word = withNumber(word);
    else if (before.kind === 'connector') write(before);
    else if (before.kind !== 'punctuation') {
      if (word.kind !== 'number') connect(word.kind);
      else if (!words.isAtEnd) {
        const number = word;
        word = next();
        if (word.kind === 'alphabet') {
          output.push(connector);
          write(number);
          word = withNumber(word);
        } else {
          write(number);
          connect(word.kind);
        }
      }
    }
  }
  write(word);
  return output.join('');
}

/** Connectors go, and what follows them is a capital. */
export function camelWords(text: string): string {
  const letters = runes(text);
  const start = letters.findIndex((letter) => !isConnector(letter));
  // The last one stands twice in what the library makes of connectors alone.
  if (start < 0) return text + (letters.at(-1) ?? '');
  const output = letters.slice(0, start);
  let before = upperLetter(String(letters[start]));
  for (const letter of letters.slice(start + 1)) {
    let current = letter;
    if (isConnector(letter) && isConnector(before)) output.push(before);
    else if (isConnector(before)) current = upperLetter(letter);
    else output.push(before);
    before = current;
  }
  return [...output, before].join('');
}
