# package.py of Spack. Spack has no libexttextcat, so languages are not guessed, and no libstemmer
# yet, which needs a package beside this one.
from spack.package import *


class Tributary(MakefilePackage):
    """Which earlier texts flow into this one, how much, and through which passages."""

    homepage = "https://tributary.invalid"
    url = "https://tributary.invalid/tributary-0.1.0.tar.xz"
    license("Apache-2.0")

    # of SHA256SUMS
    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mpi", default=False, description="Build tributary-mpi, for several machines")
    variant("python", default=True, description="Install the Python package")

    depends_on("c", type="build")
    depends_on("bash", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("curl")
    depends_on("icu4c")
    depends_on("jansson")
    depends_on("libarchive")
    depends_on("libmicrohttpd")
    depends_on("libstemmer")
    depends_on("libxml2")
    depends_on("libyaml")
    depends_on("nettle")
    depends_on("openblas")
    depends_on("sqlite")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("mpi", when="+mpi")
    depends_on("py-numpy", type="run", when="+python")

    def build(self, spec, prefix):
        make("tributary", *(["build/tributary-mpi"] if spec.satisfies("+mpi") else []))

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}")
        if spec.satisfies("+mpi"):
            install("build/tributary-mpi", prefix.bin)

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.python3.join("dist-packages"))
