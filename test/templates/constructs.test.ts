import { describe, expect, it } from 'vitest';
import { needs } from '../bed/require.ts';
import { goSays, isComparable, weSay } from './compare.ts';
import { CONSTRUCTS } from './constructs.ts';
import { askGo, type Question } from './judge.ts';
import { GO_PARAMS, PARAMS } from './params.ts';
import { SAMPLE } from './sample-data.ts';
import { toValue } from './typed-data.ts';

const need = needs('template-judge');

describe.skipIf(need.missing)(need.title('what templates can say, as Go carries it out'), () => {
  it('gives the same text or the same kind of mistake for every construct that Blueprints use', async () => {
    const questions = CONSTRUCTS.map((template): Question => ({ template, data: GO_PARAMS, missing: 'error' }));
    const answers = await askGo(questions);
    const both = questions.map((question, index) => ({
      template: question.template,
      go: goSays(answers[index]!),
      ours: weSay(question, PARAMS),
    }));
    expect(
      both.filter(({ ours }, index) => isComparable(answers[index]!, ours)).filter(({ go, ours }) => go !== ours),
    ).toEqual([]);
  });

  it.each(['zero', 'invalid'] as const)(
    'treats a missing name as %s where a condition wants it so',
    async (missing) => {
      const templates = [
        '{{ .none }}',
        '{{ .options.none }}|',
        '{{ .meta.none }}',
        '{{ .none.x }}',
        '{{ if .none }}a{{ end }}',
      ];
      const questions = templates.map((template): Question => ({ template, data: SAMPLE, missing }));
      const answers = await askGo(questions);
      expect(questions.map((question) => weSay(question, toValue(SAMPLE)))).toEqual(answers.map(goSays));
    },
  );

  it("has text/template's own functions where sprig's are not", async () => {
    const templates = [
      '{{ slice "abcdef" 1 3 }}',
      '{{ slice .pods 1 }}',
      '{{ slice .name 5 1 }}',
      '{{ upper "a" }}',
      '{{ slice .secret 1 3 }}',
    ];
    const questions = templates.map((template): Question => ({
      template,
      data: SAMPLE,
      missing: 'invalid',
      plain: true,
    }));
    const answers = await askGo(questions);
    expect(questions.map((question) => weSay(question, toValue(SAMPLE)))).toEqual(answers.map(goSays));
  });

  it('maps every letter to the case that Go has for it', { timeout: 60_000 }, async () => {
    // Code points in lines of 256, without surrogates and what Unicode gave a case only after Go's tables were made.
    const newer = /[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7df\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/gu;
    const rows = Array.from({ length: 0x1f0 }, (_, row) => row * 256).filter(
      (start) => start < 0xd800 || start > 0xdfff,
    );
    const text = (start: number) =>
      Array.from({ length: 256 }, (_, at) => String.fromCodePoint(start + at))
        .join('')
        .replace(newer, '-');
    const questions = rows.flatMap((start) =>
      ['upper', 'lower'].map((name): Question => ({
        template: `{{ ${name} .x }}`,
        data: { t: 'map', v: { x: { t: 'string', v: text(start) } } },
        missing: 'error',
      })),
    );
    const answers = await askGo(questions);
    const wrong = questions.flatMap((question, index) => {
      const { data } = question;
      const [go, ours] = [goSays(answers[index]!), weSay(question, toValue(data as typeof SAMPLE))];
      return go === ours ? [] : [`${question.template} ${rows[Math.floor(index / 2)]!.toString(16)}`];
    });
    expect(wrong).toEqual([]);
  });
});
