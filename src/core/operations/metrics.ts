/**
 * Every Prometheus metric, with upstream's names where upstream has the same metric. Controllers refer to them by key
 * and the server renders them; a name that is not listed here does not exist.
 */
export interface MetricFacts {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  buckets?: readonly number[];
}

const counter = (help: string, ...labels: string[]): MetricFacts => ({ type: 'counter', help, labels });
const gauge = (help: string, ...labels: string[]): MetricFacts => ({ type: 'gauge', help, labels });
const histogram = (help: string, buckets: readonly number[], ...labels: string[]): MetricFacts => ({
  type: 'histogram',
  help,
  labels,
  buckets,
});

/** Velero's buckets, plus shorter ones: its first bucket is a minute, in which most of our operations finish. */
const OPERATION_SECONDS = [1, 5, 15, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400];
const DELAY_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];
const RECONCILE_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30];

export const METRICS = {
  velero_backup_total: gauge('Backups that exist', 'cluster'),
  velero_backup_attempt_total: counter('Backups that were begun', 'cluster', 'schedule'),
  velero_backup_success_total: counter('Backups that completed', 'cluster', 'schedule'),
  velero_backup_partial_failure_total: counter('Backups that failed in part', 'cluster', 'schedule'),
  velero_backup_failure_total: counter('Backups that failed', 'cluster', 'schedule'),
  velero_backup_validation_failure_total: counter('Backups that were refused', 'cluster', 'schedule'),
  velero_backup_warning_total: counter('Backups that completed with warnings', 'cluster', 'schedule'),
  velero_backup_duration_seconds: histogram('Time a backup took', OPERATION_SECONDS, 'cluster', 'schedule'),
  velero_backup_tarball_size_bytes: gauge('Size of the newest backup', 'cluster', 'schedule'),
  velero_backup_items_total: gauge('Items of the newest backup', 'cluster', 'schedule'),
  velero_backup_items_errors: gauge('Errors of the newest backup', 'cluster', 'schedule'),
  velero_backup_last_status: gauge('1 when the newest backup completed, else 0', 'cluster', 'schedule'),
  velero_backup_last_successful_timestamp: gauge(
    'When a backup last completed, in seconds since 1970',
    'cluster',
    'schedule',
  ),
  velero_backup_deletion_attempt_total: counter('Deletions of backups that were begun', 'cluster', 'schedule'),
  velero_backup_deletion_success_total: counter('Deletions of backups that succeeded', 'cluster', 'schedule'),
  velero_backup_deletion_failure_total: counter('Deletions of backups that failed', 'cluster', 'schedule'),
  velero_backup_location_status_gauge: gauge(
    '1 when the location can be used, else 0',
    'cluster',
    'backupLocationName',
  ),

  velero_restore_total: gauge('Restores that exist', 'cluster'),
  velero_restore_attempt_total: counter('Restores that were begun', 'cluster', 'schedule'),
  velero_restore_success_total: counter('Restores that completed', 'cluster', 'schedule'),
  velero_restore_partial_failure_total: counter('Restores that failed in part', 'cluster', 'schedule'),
  velero_restore_failed_total: counter('Restores that failed', 'cluster', 'schedule'),
  velero_restore_validation_failed_total: counter('Restores that were refused', 'cluster', 'schedule'),

  kanister_action_set_resolutions_total: counter('ActionSets that have ended', 'cluster', 'resolution'),
  headway_action_sets_begun_total: counter('ActionSets whose work was begun', 'cluster'),
  headway_action_sets_refused_total: counter('ActionSets that were refused', 'cluster'),
  headway_action_phase_seconds: histogram(
    'Time a phase of an action took',
    OPERATION_SECONDS,
    'cluster',
    'function',
    'state',
  ),
  cam_app_workload_migrations: gauge(
    'MigMigrations by type and status; canceled ones count as completed, as MTC counts them',
    'cluster',
    'type',
    'status',
  ),

  headway_operations: gauge('Operations by kind and state', 'cluster', 'kind', 'state'),
  headway_operations_stalled: gauge('Running operations without progress for the stall limit', 'cluster', 'kind'),
  headway_operation_progress_ratio: gauge(
    'How far a running operation is, 0 to 1',
    'cluster',
    'kind',
    'namespace',
    'name',
  ),
  headway_operation_rate: gauge(
    'Speed of a running operation: bytes a second where bytes are counted, else items',
    'cluster',
    'kind',
    'namespace',
    'name',
  ),
  headway_operation_eta_seconds: gauge('Seconds a running operation will need', 'cluster', 'kind', 'namespace', 'name'),
  headway_operation_stalled: gauge('1 while a running operation is stalled', 'cluster', 'kind', 'namespace', 'name'),
  headway_operation_duration_seconds: histogram(
    'Time an operation took',
    OPERATION_SECONDS,
    'cluster',
    'kind',
    'state',
  ),

  headway_reconcile_seconds: histogram('Time a reconcile took', RECONCILE_SECONDS, 'cluster', 'controller', 'outcome'),
  headway_queue_depth: gauge('Objects that wait for a controller', 'cluster', 'controller'),

  headway_event_loop_delay_seconds: histogram(
    'The longest time in each second that one step kept everything else waiting',
    DELAY_SECONDS,
  ),

  headway_http_requests_total: counter('Requests answered', 'route', 'method', 'status'),
  headway_http_seconds: histogram('Time until an answer began', RECONCILE_SECONDS, 'route'),
  headway_streams: gauge('Open event streams'),
  headway_streams_slow_total: counter('Times an event stream had to be caught up because its reader was slow'),
} as const satisfies Record<string, MetricFacts>;

export type MetricName = keyof typeof METRICS;
