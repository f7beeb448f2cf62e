import { describe, expect, it } from 'vitest';
import { needs } from '../bed/require.ts';
import { IS_CAMPAIGN, SEED, seededRandom } from '../faults/seeded-random.ts';
import { goSays, isComparable, unencoded, weSay } from './compare.ts';
import { askGo, type Question } from './judge.ts';
import { RandomTemplate } from './random-template.ts';
import { SAMPLE } from './sample-data.ts';
import { toValue } from './typed-data.ts';

const COUNT = IS_CAMPAIGN ? 20_000 : 2000;

const need = needs('template-judge');
describe.skipIf(need.missing)(need.title(`random templates, as Go carries them out (seed ${SEED})`), () => {
  it(`give the same text or the same kind of mistake, ${COUNT} of them`, { timeout: 600_000 }, async () => {
    const templates = new RandomTemplate(seededRandom(SEED));
    const questions = Array.from({ length: COUNT }, (): Question => ({
      template: templates.next(),
      data: SAMPLE,
      missing: 'error',
    }));
    const answers = await askGo(questions);
    const differences = questions.flatMap((question, index) => {
      const answer = answers[index]!;
      const [go, ours] = [goSays(answer), weSay(question, toValue(SAMPLE))];
      if (go === ours || !isComparable(answer, ours)) return [];
      const isSeen = isComparable(answer, weSay(unencoded(question), toValue(SAMPLE)));
      return isSeen ? [{ template: question.template, go, ours }] : [];
    });
    expect(differences).toEqual([]);
    // Too few that succeed, or that fail, would try too little.
    const texts = answers.filter(({ text }) => text !== undefined).length;
    expect(texts).toBeGreaterThan(COUNT * 0.3);
    expect(texts).toBeLessThan(COUNT * 0.9);
  });
});
