export { mapRows, type MapRows } from './map-rows.ts';
