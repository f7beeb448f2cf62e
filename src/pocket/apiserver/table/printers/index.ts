/**
 * The columns that kubectl shows for built-in kinds, as the real server makes them.
 * They must never fail on an object that lacks a field.
 */
import type { Column } from '../column.ts';
import { APPS_COLUMNS } from './apps.ts';
import { CLUSTER_COLUMNS } from './cluster.ts';
import { CORE_COLUMNS } from './core.ts';
import { NETWORK_COLUMNS } from './network.ts';
import { POD_COLUMNS } from './pod.ts';
import { STORAGE_COLUMNS } from './storage.ts';

/** By the store's table. */
export const BUILTIN_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  pods: POD_COLUMNS,
  ...CORE_COLUMNS,
  ...APPS_COLUMNS,
  ...NETWORK_COLUMNS,
  ...STORAGE_COLUMNS,
  ...CLUSTER_COLUMNS,
};
