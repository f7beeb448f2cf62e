import type { ApiObject } from '../../object/index.ts';
import type { FieldError } from '../../../schema/index.ts';
import type { ObjectStore } from '../../store/index.ts';

export interface KindContext {
  store: ObjectStore;
  /** RFC 3339 with seconds. */
  now: string;
  random: () => number;
  /** The first half of the addresses of services, such as `10.96.`. */
  servicePrefix: string;
}

/**
 * What a kind does beyond its schema when it is written. The object is a fresh copy and is changed in place;
 * what is returned are the reasons to refuse it.
 */
export interface KindRules {
  create?(object: ApiObject, context: KindContext): FieldError[];
  update?(object: ApiObject, old: Readonly<ApiObject>, context: KindContext): FieldError[];
}
