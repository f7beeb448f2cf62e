/** Equal to package.json's version; a test compares them, because reading a file costs every start. */
export const VERSION = '0.1.0';
