import type { z } from 'zod';
import { ATOMIC, listOf, object, text, textMap, texts } from './field.ts';

const LIST = { 'x-kubernetes-list-type': 'atomic' };

const Requirement = object({
  key: text('Label key that is looked at.'),
  operator: text('In, NotIn, Exists or DoesNotExist.'),
  values: texts('Values to compare with; empty for Exists and DoesNotExist.').meta(LIST).optional(),
});

export const LabelSelector = object({
  matchExpressions: listOf(Requirement, 'Requirements that must all hold.').meta(LIST).optional(),
  matchLabels: textMap('Labels that must all be present with these values.').optional(),
}).meta(ATOMIC);
export type LabelSelector = z.infer<typeof LabelSelector>;
