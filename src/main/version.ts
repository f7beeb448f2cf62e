/** Equal to package.json's version; a test compares them, because reading a file costs every start. */
export const VERSION = '0.1.0';
/** As the stock CLI wants it: the Velero that Headway answers like, which the CLI compares with its own, and who answers. */
export const SERVER_VERSION = `v1.18.3+headway.${VERSION}`;
