import type { JsonObject } from '../../base/index.ts';
import type { Snapshot } from './operation-run.ts';

/** The status fields that running operations of every kind have. */
export function runningStatus({ report, conditions, stages }: Snapshot): JsonObject {
  return {
    conditions: conditions.map((condition): JsonObject => ({ ...condition })),
    stages: stages.map((stage): JsonObject => ({ ...stage })),
    waits: report.waits?.map((wait): JsonObject => ({ ...wait })),
  };
}
