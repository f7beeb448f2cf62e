import type { Json } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';
import { age } from './age.ts';

/** One column of kubectl's table: `wide` ones are shown with `-o wide` only. */
export interface Column {
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'number' | 'date';
  format?: string;
  description?: string;
  wide?: boolean;
  cell(object: Readonly<ApiObject>, now: number): Json;
}

export const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  cell: (object) => object.metadata.name,
};

export const AGE: Column = {
  name: 'Age',
  type: 'string',
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
  cell: (object, now) => age(object.metadata.creationTimestamp, now),
};

/** What kinds without columns of their own show: a time where the others show an age. */
export const CREATED_AT: Column = {
  name: 'Created At',
  type: 'date',
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

export function text(name: string, cell: (object: Readonly<ApiObject>, now: number) => Json): Column {
  return { name, type: 'string', cell };
}

export function integer(name: string, cell: (object: Readonly<ApiObject>, now: number) => Json): Column {
  return { name, type: 'integer', cell };
}

export function wide(column: Column): Column {
  return { ...column, wide: true };
}
