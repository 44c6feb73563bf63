/** The pages that the navigation names, in its order. */
export const navigation = [
  { to: '/', title: 'Home' },
  { to: '/registry', title: 'Registry' },
  { to: '/audit', title: 'Audit' },
  { to: '/organisation', title: 'Organisation' },
  { to: '/system', title: 'System' },
  { to: '/policy-lab', title: 'Policy lab' },
] as const;
