import type { Rename } from '../meta/rename.ts';

export const migrationRenames: readonly Rename[] = [
  { at: 'status', from: 'itenerary', to: 'itinerary', source: 'seed 000, as MTC up to 1.3 spelt it' },
];
