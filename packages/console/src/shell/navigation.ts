/** The pages that the navigation names, in its order. */
export const navigation = [
  { to: '/', title: 'Home' },
  { to: '/registry', title: 'Registry' },
  { to: '/audit', title: 'Audit' },
  { to: '/system', title: 'System' },
] as const;
