export * from './category-file.ts';
export * from './load-taxonomy.ts';
