import type { CaseGroup } from './case.ts';
import { autoscaler } from './cases/autoscaler.ts';
import { consequences } from './cases/consequences.ts';
import { create } from './cases/create.ts';
import { crd } from './cases/crd.ts';
import { crdRules } from './cases/crd-rules.ts';
import { customMetadata } from './cases/custom-metadata.ts';
import { remove } from './cases/delete.ts';
import { differences } from './cases/differences.ts';
import { discovery } from './cases/discovery.ts';
import { errors } from './cases/errors.ts';
import { kindRules } from './cases/kind-rules.ts';
import { list } from './cases/list.ts';
import { podRules } from './cases/pod-rules.ts';
import { refusals } from './cases/refusals.ts';
import { update } from './cases/update.ts';
import { watch } from './cases/watch.ts';

/** Every group of the contract. */
export const GROUPS: readonly CaseGroup[] = [
  errors,
  create,
  update,
  remove,
  refusals,
  podRules,
  kindRules,
  consequences,
  autoscaler,
  list,
  watch,
  crd,
  crdRules,
  customMetadata,
  discovery,
  differences,
];
