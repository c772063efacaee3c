from spack.package import *


class OpensmPssp(CMakePackage):
    """Evaluate, compute and simulate forwarding tables of InfiniBand fabrics: effective bisection
    bandwidth, routing engines, congestion control. Does not contain the plugin for OpenSM, which
    requires one version of opensm; Spack has no opensm."""

    homepage = "https://opensm-pssp.example"
    # `spack install` needs the sources: use `spack develop`, or set `git` to the address of a clone.
    git = "https://opensm-pssp.example/opensm-pssp.git"

    license("BSD-2-Clause")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("mpi", default=False, description="pssp eval, simulate, simulate-app and tune-cc under mpirun")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11@2:", type="build")
    depends_on("nlohmann-json@3.9:", type="build")
    depends_on("fmt@9:")
    depends_on("libarchive@3:")
    depends_on("intel-oneapi-tbb@2021:")
    depends_on("mpi", when="+mpi")

    conflicts("%gcc@:10", msg="a compiler with C++20 is required")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define("PSSP_BUILD_BENCHMARKS", False),
            self.define("PSSP_BUILD_PLUGIN", False),
            self.define("PSSP_BUILD_CC_TOOLS", False),
            self.define("PSSP_BUILD_MONITOR", False),
            self.define("PSSP_UNITY_BUILD", True),
            self.define("PSSP_MPI", "ON" if self.spec.satisfies("+mpi") else "OFF"),
        ]
