/** A column of `kubectl get`. kubectl prints the raw value, so percent and ETA are plain numbers. */
export interface Column {
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'date';
  jsonPath: string;
  format?: string;
  /** 0 is always shown; anything higher only with `-o wide`. */
  priority?: number;
}

export const column = (
  name: string,
  jsonPath: string,
  type: Column['type'] = 'string',
  more: Pick<Column, 'format' | 'priority'> = {},
): Column => ({ name, type, jsonPath, ...more });

const readyPath = `.status.conditions[?(@.type=='Ready')].status`;
export const READY = column('Ready', readyPath);
export const PERCENT = column('Percent', '.status.progress.percent', 'integer');
export const ETA = column('ETA(s)', '.status.progress.etaSeconds', 'integer');
export const STAGE = column('Stage', '.status.progress.stage');
export const AGE = column('Age', '.metadata.creationTimestamp', 'date');
export const BYTES_DONE = column('Bytes Done', '.status.progress.bytesDone', 'integer', { format: 'int64' });
export const TOTAL_BYTES = column('Total Bytes', '.status.progress.totalBytes', 'integer', { format: 'int64' });
