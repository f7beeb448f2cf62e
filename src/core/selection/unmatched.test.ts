import { describe, expect, it } from 'vitest';
import { SelectorUse, unmatchedNames } from './unmatched.ts';

const known = new Set(['shop', 'shop-db', 'kube-system']);
const saying = (name: string): string => `there is no ${name}`;
const unmatched = (...names: string[]) =>
  unmatchedNames(names, { field: 'includedNamespaces', known, saying }).map(({ message }) => message);

describe('names that match nothing', () => {
  it.each([
    ['shpo', 'there is no shpo; did you mean "shop"?'],
    ['shopdb', 'there is no shopdb; did you mean "shop-db"?'],
    ['Shop', 'there is no Shop; did you mean "shop"?'],
    ['payments', 'there is no payments'],
    ['xy', 'there is no xy'],
    ['web-*', 'there is no web-*'],
  ])('%s is told: %s', (name, message) => {
    expect(unmatched(name)).toEqual([message]);
  });

  it.each(['shop', 'shop*', '*', '', 'kube-?ystem'])('"%s" matches', (name) => {
    expect(unmatched(name)).toEqual([]);
  });

  it('names each once, in the order of the list', () => {
    expect(unmatched('b', 'shop', 'a', 'b')).toEqual(['there is no b', 'there is no a']);
  });
});

describe('selectors that match nothing', () => {
  const app = (name: string) => ({ matchLabels: { app: name } });

  it('are told as soon as there was something to select', () => {
    const use = new SelectorUse({ orLabelSelectors: [app('web'), app('wbe')] }, 'the backup');
    expect(use.unmatched()).toEqual([]);
    use.see({ app: 'web' });
    expect(use.unmatched()).toEqual([
      {
        ...{ field: 'orLabelSelectors', name: 'app=wbe' },
        message: 'nothing that is chosen in the backup has the labels app=wbe',
      },
    ]);
    use.see({ app: 'wbe' });
    expect(use.isSatisfied).toBe(true);
  });

  it('are told when the cluster was asked and had none', () => {
    const use = new SelectorUse({ labelSelector: app('wbe') }, 'the cluster');
    use.ask();
    expect(use.unmatched()).toMatchObject([{ field: 'labelSelector', name: 'app=wbe' }]);
  });
});
