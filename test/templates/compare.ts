import { Budget, TemplateProblem, renderTemplate, type Value } from '../../src/core/action/template/index.ts';
import type { Answer, Question } from './judge.ts';
import { problemKind, withoutPlace } from './problem-kind.ts';

/** Told alike for Go and for ours: the text, or what kind of mistake it is. */
export function goSays({ text, kind, problem = '' }: Answer): string {
  if (text !== undefined) return `text ${JSON.stringify(text)}`;
  return kind === 'parse' ? 'cannot be read' : `fails: ${problemKind(withoutPlace(problem))}`;
}

/** What Go shows of its own memory is nobody's business, and ours says so. */
export function isComparable({ text = '' }: Answer, ours: string): boolean {
  return !ours.includes('{…}') && !/0x[0-9a-f]{10}|semver\.Version=|time\.Time=/.test(text);
}

const ENCODERS = /\b(?:b64enc|b32enc|sha1sum|sha256sum|adler32sum)\b/g;

/** The same before it was encoded, where nobody would see that it is such a text. */
export function unencoded(question: Question): Question {
  return { ...question, template: question.template.replaceAll(ENCODERS, 'toString') };
}

export function weSay({ template, missing, plain }: Question, data: Value): string {
  try {
    const text = renderTemplate(template, data, {
      budget: new Budget({ now: 0 }),
      missingKey: missing === 'invalid' ? 'nothing' : missing,
      functions: plain === true ? 'kubectl' : 'sprig',
    });
    return `text ${JSON.stringify(text)}`;
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    if (error.kind === 'parse') return 'cannot be read';
    return error.kind === 'limit' ? `limit: ${error.message}` : `fails: ${problemKind(error.message)}`;
  }
}
