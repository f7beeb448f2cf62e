import { expect, it } from 'vitest';
import { apiVersionOf, kindFor } from './index.ts';
import * as types from './resource-types.ts';

it.each(Object.values(types).map((type) => [type.kind, type] as const))('%s is what its kind says', (_, type) => {
  expect(kindFor(apiVersionOf(type), type.kind)).toMatchObject(type);
});
