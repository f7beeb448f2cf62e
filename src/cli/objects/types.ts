/** The kinds by what a request needs. Their schemas cost more to load than most commands take. */
export { ACTION_SET, BACKUP, DOWNLOAD_REQUEST, LOCATION, RESTORE, SCHEDULE } from '../../api/resource-types.ts';
