/** The version of airboard, as of the build. */
export { version as VERSION } from '../../package.json';
