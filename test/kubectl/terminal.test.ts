import { describe, expect, it } from 'vitest';
import { tableOf } from './table.ts';
import { wordsOf } from './terminal.ts';

describe('wordsOf', () => {
  it('splits what is typed, never what is put in', () => {
    expect(wordsOf`get  cm -n ${'a b'} --for=${'x y'}=z ${''} ${1}${2}`).toEqual([
      'get',
      'cm',
      '-n',
      'a b',
      '--for=x y=z',
      '',
      '12',
    ]);
    expect(wordsOf`create ${['a', 'b c']} -n d`).toEqual(['create', 'a', 'b c', '-n', 'd']);
    expect(wordsOf` get `).toEqual(['get']);
  });
});

describe('tableOf', () => {
  it('reads cells by the place of their column, empty ones too', () => {
    expect(tableOf('NAME   LAST SEEN   AGE\na                  1s\nb      now         2m (x2)\n')).toEqual([
      { NAME: 'a', 'LAST SEEN': '', AGE: '1s' },
      { NAME: 'b', 'LAST SEEN': 'now', AGE: '2m (x2)' },
    ]);
  });
});
