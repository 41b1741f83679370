//! Where each pCPU sits: threads of a core, pCPUs of a socket, NUMA node.

use crate::cpumask::CpuMask;
use crate::ids::PcpuId;
use alloc::vec::Vec;
use core::ops::Range;

/// The place of one pCPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PcpuPlace {
    /// Threads of its core, itself included.
    pub sibling: CpuMask,
    /// All pCPUs of its socket, itself included (Xen names this the core mask).
    pub socket: CpuMask,
    /// Its NUMA node.
    pub node: u16,
}

/// The places of all pCPUs, and what follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    places: Vec<PcpuPlace>,
    nodes: Vec<CpuMask>,
    /// Per node, its pCPUs in ascending order.
    node_members: Vec<Vec<PcpuId>>,
    /// All pCPUs in ascending order.
    members: Vec<PcpuId>,
    all: CpuMask,
}

/// A machine that is the same everywhere. *Invariant*: no number is 0, and there are at most as
/// many nodes as cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Sockets.
    pub sockets: u16,
    /// Cores of a socket.
    pub cores: u16,
    /// Threads of a core.
    pub threads: u16,
    /// NUMA nodes, over which the cores are spread evenly and in order.
    pub nodes: u16,
}

impl Shape {
    /// The machine of this shape; as [`Topology::regular`] with one node or one a socket.
    #[must_use]
    pub fn topology(self) -> Topology {
        let all = u32::from(self.sockets) * u32::from(self.cores);
        let regular = Topology::regular(self.sockets, self.cores, self.threads, false);
        let node = |core: u32| {
            u16::try_from(core * u32::from(self.nodes) / all).expect("below the number of nodes")
        };
        let place = |(pcpu, place): (u32, PcpuPlace)| PcpuPlace {
            node: node(pcpu / u32::from(self.threads)),
            ..place
        };
        Topology::new((0..).zip(regular.places).map(place).collect())
    }
}

impl Topology {
    /// The shape that it was made from, if it is regular.
    #[must_use]
    pub fn shape(&self) -> Option<Shape> {
        let pcpus = u16::try_from(self.pcpu_count()).ok()?;
        let first = self.places.first()?;
        let size = |mask: &CpuMask| u16::try_from(mask.len()).ok().filter(|size| *size > 0);
        let (threads, socket) = (size(&first.sibling)?, size(&first.socket)?);
        let nodes = u16::try_from(self.nodes.len()).ok()?;
        let shape = Shape { sockets: pcpus / socket, cores: socket / threads, threads, nodes };
        let cores = u32::from(shape.sockets) * u32::from(shape.cores);
        let exact = cores * u32::from(threads) == u32::from(pcpus);
        let evenly = u32::from(nodes) <= cores;
        (exact && evenly && shape.topology() == *self).then_some(shape)
    }

    /// The topology of these places, pCPU by pCPU.
    #[must_use]
    pub fn new(places: Vec<PcpuPlace>) -> Self {
        let pcpus = places.len();
        let node_count = places.iter().map(|place| usize::from(place.node) + 1).max().unwrap_or(0);
        let mut nodes = alloc::vec![CpuMask::empty(pcpus); node_count];
        for (pcpu, place) in (0u16..).zip(&places) {
            nodes[usize::from(place.node)].insert(PcpuId(pcpu));
        }
        let node_members = nodes.iter().map(|node| node.iter().collect()).collect();
        let all = CpuMask::full(pcpus);
        let members = all.iter().collect();
        Self { places, nodes, node_members, members, all }
    }

    /// `sockets` × `cores` × `threads` pCPUs, numbered socket by socket, core by core, thread by
    /// thread; with `node_per_socket` each socket is a NUMA node, otherwise all are in node 0.
    #[must_use]
    pub fn regular(sockets: u16, cores: u16, threads: u16, node_per_socket: bool) -> Self {
        let pcpus = usize::from(sockets) * usize::from(cores) * usize::from(threads);
        let per_socket = cores * threads;
        let range = |from: u16, len: u16| {
            let mut mask = CpuMask::empty(pcpus);
            (from..from + len).for_each(|pcpu| mask.insert(PcpuId(pcpu)));
            mask
        };
        let place = |pcpu: u16| PcpuPlace {
            sibling: range(pcpu / threads * threads, threads),
            socket: range(pcpu / per_socket * per_socket, per_socket),
            node: if node_per_socket { pcpu / per_socket } else { 0 },
        };
        Self::new((0..sockets * per_socket).map(place).collect())
    }

    /// Number of pCPUs.
    #[must_use]
    pub fn pcpu_count(&self) -> usize {
        self.places.len()
    }

    /// All pCPUs in ascending order.
    pub fn pcpus(&self) -> impl DoubleEndedIterator<Item = PcpuId> + use<> {
        (0..u16::try_from(self.places.len()).expect("validated")).map(PcpuId)
    }

    /// The set of all pCPUs.
    #[must_use]
    pub fn all(&self) -> &CpuMask {
        &self.all
    }

    /// The place of a pCPU.
    #[must_use]
    pub fn place(&self, pcpu: PcpuId) -> &PcpuPlace {
        &self.places[pcpu.index()]
    }

    /// The places of all pCPUs.
    #[must_use]
    pub fn places(&self) -> &[PcpuPlace] {
        &self.places
    }

    /// The pCPUs of each NUMA node; a node number that no pCPU carries has an empty set.
    #[must_use]
    pub fn nodes(&self) -> &[CpuMask] {
        &self.nodes
    }

    /// The pCPUs of a NUMA node in ascending order.
    #[must_use]
    pub fn node_members(&self, node: usize) -> &[PcpuId] {
        &self.node_members[node]
    }

    /// From the lowest pCPU of a NUMA node to behind the highest, by number.
    #[must_use]
    pub fn node_bounds(&self, node: usize) -> Range<usize> {
        match *self.node_members(node) {
            [] => 0..0,
            [one] => one.index()..one.index() + 1,
            [first, .., last] => first.index()..last.index() + 1,
        }
    }

    /// All pCPUs in ascending order.
    #[must_use]
    pub fn members(&self) -> &[PcpuId] {
        &self.members
    }

    /// Whether `a` and `b` share a socket.
    #[must_use]
    pub fn same_socket(&self, a: PcpuId, b: PcpuId) -> bool {
        self.places[b.index()].socket.contains(a)
    }
}
